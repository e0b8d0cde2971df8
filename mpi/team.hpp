// The ranks of MPI_COMM_WORLD as a team for the runner, and the MPI library behind it.
#pragma once

#include <mpi.h>

#include <exception>
#include <functional>
#include <string>

#include "common/run/program.hpp"

namespace boltzmark::mpi {

/// Name and version of the library.
std::string library_version();

class MpiTeam : public Team {
 public:
  int rank() const override;
  int size() const override;
  void barrier() override;
  int first_that(bool mine) override;
  double largest(double mine) override;
  double sum(double mine) override;
  [[noreturn]] void abort(int status) override;
};

/// Whether `work`, which may fail on some ranks alone, threw nothing on any. Throws what it threw on this one.
/// Collective.
template <class Work>
bool on_all(MPI_Comm ranks, Work&& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  int can = failure ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, ranks);
  if (failure) std::rethrow_exception(failure);
  return can != 0;
}

/// `run` between MPI's start and its end. Returns its exit status.
int run_on_ranks(int argc, char** argv, const std::function<int(Team&)>& run);

}  // namespace boltzmark::mpi
