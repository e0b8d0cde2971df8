// The ranks of MPI_COMM_WORLD as a team for the common main.
#pragma once

#include <mpi.h>

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

class MpiTeam : public Team {
 public:
  int rank() const override;
  int size() const override;
  void barrier() override;
  int first_that(bool mine) override;
  double largest(double mine) override;
  [[noreturn]] void abort(int status) override;
};

}  // namespace boltzmark::mpi
