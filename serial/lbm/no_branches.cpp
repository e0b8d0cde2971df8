// No branches: `soa` with a ghost column at either end of a row, which holds the wrapped values, and with a selection
// between two values instead of a branch for solid cells. The loop over a row does the same for every cell.
//
//   accelerate   from    read and write one row
//   ghosts       from    read and write two columns
//   time step    from    read, to      write     propagate, rebound and collision, of which one is chosen; |u|
#include "common/lbm/ladder.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class NoBranches : public GhostSolver<Real> {
  using Base = GhostSolver<Real>;
  using Base::p_, Base::relaxation_, Base::fluid_cells_;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      this->accelerate_flow();
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) this->fill_ghosts(jj);
      double tot_u = 0.0;
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
      av_vels[step] = tot_u / fluid_cells_;
      this->finish_step();
    }
  }

 private:
  double update_row(std::int64_t jj) {
    const auto row = this->row_of(jj);
    double tot_u = 0.0;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) tot_u += Base::update_cell(row, ii, relaxation_);
    return tot_u;
  }
};

}  // namespace

extern const lbm::Variant no_branches = {
    .name = "no-branches",
    .summary = "rung 4: ghost columns in place of the wrap, a choice of values in place of a branch",
    .make = make_rung<NoBranches>};

}  // namespace boltzmark::serial
