// The MPI library behind this program.
#pragma once

#include <mpi.h>

#include <string>

namespace boltzmark::mpi {

/// Its name and version.
inline std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));  // Open MPI adds its build host and date
}

}  // namespace boltzmark::mpi
