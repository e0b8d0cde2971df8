#include "mpi/team.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "common/run/runs.hpp"

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

namespace {

/// Ranks that wait for the line sleep, for increasing times.
void share_line(std::optional<std::string>& line) {
  int bytes = line ? static_cast<int>(line->size()) : -1, is_done = 0;
  MPI_Request sent;
  MPI_Ibcast(&bytes, 1, MPI_INT, 0, MPI_COMM_WORLD, &sent);
  for (std::chrono::microseconds nap(100); MPI_Test(&sent, &is_done, MPI_STATUS_IGNORE), !is_done;) {
    std::this_thread::sleep_for(nap);
    nap = std::min<std::chrono::microseconds>(2 * nap, std::chrono::milliseconds(20));
  }
  if (bytes < 0) return;
  if (!line) line.emplace(static_cast<std::size_t>(bytes), ' ');
  MPI_Bcast(line->data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

}  // namespace

int run_on_ranks(int argc, char** argv, const std::function<int(int argc, char** argv, Team&)>& run) {
  // Open MPI's search for GPUs (hwloc) opens OpenCL, whose loader may cut OCL_ICD_FILENAMES at its first colon.
  setenv("HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so", 0);
  int level = MPI_THREAD_SINGLE;  // which it is, threads_of_rank asks
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MpiTeam team;
  const int status = each_run(
      argc, argv, team, [&](int words, char** line) { return run(words, line, team); }, share_line);
  MPI_Finalize();
  return status;
}

}  // namespace boltzmark::mpi
