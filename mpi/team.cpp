#include "mpi/team.hpp"

#include <algorithm>
#include <cstdlib>

#include "mpi/types.hpp"

namespace boltzmark::mpi {

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));  // Open MPI adds its build host and date
}

int MpiTeam::rank() const { return rank_in(MPI_COMM_WORLD); }

int MpiTeam::size() const { return size_of(MPI_COMM_WORLD); }

void MpiTeam::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

int MpiTeam::first_that(bool mine) {
  const int candidate = mine ? rank() : size();
  int first = candidate;
  MPI_Allreduce(&candidate, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return first == size() ? -1 : first;
}

double MpiTeam::largest(double mine) {
  double largest = mine;
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}

double MpiTeam::sum(double mine) {
  double sum = mine;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

void MpiTeam::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // MPI_Abort does not return, but its declaration does not say so
}

int run_on_ranks(int argc, char** argv, const std::function<int(Team&)>& run) {
  // Open MPI's search for GPUs (hwloc) starts their OpenCL drivers and stops them, after which NVIDIA's is not found.
  setenv("HWLOC_PLUGINS_BLACKLIST", "hwloc_opencl.so,hwloc_gl.so", 0);
  int level = MPI_THREAD_SINGLE;  // which it is, threads_of_rank asks
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MpiTeam team;
  const int status = run(team);
  MPI_Finalize();
  return status;
}

}  // namespace boltzmark::mpi
