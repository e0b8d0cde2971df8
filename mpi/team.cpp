#include "mpi/team.hpp"

#include <cstdlib>

namespace boltzmark::mpi {

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));  // Open MPI adds its build host and date
}

void MpiTeam::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // MPI_Abort does not return, but its declaration does not say so
}

int run_on_ranks(int argc, char** argv, const std::function<int(Team&)>& run) {
  // Open MPI's search for GPUs (hwloc) opens OpenCL, whose loader may cut OCL_ICD_FILENAMES at its first colon.
  setenv("HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so", 0);
  int level = MPI_THREAD_SINGLE;  // which it is, threads_of_rank asks
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MpiTeam team;
  const int status = run(team);
  MPI_Finalize();
  return status;
}

}  // namespace boltzmark::mpi
