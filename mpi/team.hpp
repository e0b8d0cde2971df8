// The ranks of MPI_COMM_WORLD as a team for the runner, and the MPI library behind it.
#pragma once

#include <mpi.h>

#include <exception>
#include <functional>
#include <string>

#include "common/run/program.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// Name and version of the library.
std::string library_version();

class MpiTeam : public Team {
 public:
  int rank() const override { return rank_in(MPI_COMM_WORLD); }
  int size() const override { return size_of(MPI_COMM_WORLD); }
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }
  int first_that(bool mine) override {
    const int first = over_ranks(mine ? rank() : size(), MPI_MIN);
    return first == size() ? -1 : first;
  }
  double largest(double mine) override { return over_ranks(mine, MPI_MAX); }
  double sum(double mine) override { return over_ranks(mine, MPI_SUM); }
  [[noreturn]] void abort(int status) override;
};

/// Whether `work`, which may fail on some ranks only, succeeded on all. Rethrows this rank's exception. Collective.
template <class Work>
bool on_all(MPI_Comm ranks, Work&& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool can = over_ranks(!failure, MPI_LAND, ranks);
  if (failure) std::rethrow_exception(failure);
  return can;
}

/// Text that tells where this model's programs compute.
inline constexpr const char* on_ranks = "on the ranks of an MPI launcher (one rank without)";

/// Calls `run` between MPI's start and end. Returns its exit status.
int run_on_ranks(int argc, char** argv, const std::function<int(int argc, char** argv, Team&)>& run);

}  // namespace boltzmark::mpi
