// Swap: the textbook without a second pass through memory. Populations that arrive in scratch are rebounded and
// collided there, and then the two grids change roles.
//
//   accelerate   cells      read and write one row
//   propagate    cells      read, scratch   write
//   rebound      scratch    read and write           (solid)
//   collision    scratch    read and write           (fluid)
//   av_velocity  scratch    read, then cells and scratch are swapped
#include "common/lbm/ladder.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Swap : public LadderSolver<Real> {
  using Base = LadderSolver<Real>;
  using Base::p_, Base::constants_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index, Base::grid_bytes_;
  using Cell = textbook::Cell<Real>;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      propagate();
      rebound();
      collision();
      std::swap(cells_, scratch_);
      av_vels[step] = av_velocity();
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    cells_.resize(cells);
    scratch_.resize(cells);
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (int i = 0; i < D2Q9::directions; ++i) cells_[cell].speeds[i] = populations[i * cells + cell];
  }

  /// Two steps, after which the grids have their original roles. Rebound and collision together loop once over all
  /// cells.
  RunFacts facts() const override {
    RunFacts facts = Base::facts();
    facts.flops_per_update = textbook::counted_flops();
    const double fluid = grid_bytes_->fluid_share;
    facts.traffic = traffic_of_loops(
        *grid_bytes_, true, {{{0}, {1}}, {{1}, {1}}, {{1}, {}, fluid}, {{1}, {0}}, {{0}, {0}}, {{0}, {}, fluid}}, 2);
    return facts;
  }

  Real at(int i, int x, int y) const override { return cells_[index(x, y)].speeds[i]; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii)
      if (!solid_[index(ii, jj)]) textbook::accelerate(cells_[index(ii, jj)], *constants_);
  }

  void propagate() {
    for (std::int64_t jj = 0; jj < p_.ny; ++jj)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
        const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
        const std::int64_t x_e = ii == p_.nx - 1 ? 0 : ii + 1;
        const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
        const std::int64_t x_w = ii == 0 ? p_.nx - 1 : ii - 1;
        textbook::propagate(&cells_[y_s * p_.nx], &cells_[jj * p_.nx], &cells_[y_n * p_.nx], x_w, ii, x_e,
                            scratch_[index(ii, jj)]);
      }
  }

  void rebound() {
    for (std::size_t cell = 0; cell < scratch_.size(); ++cell)
      if (solid_[cell]) {
        const Cell arrived = scratch_[cell];
        textbook::rebound(arrived, scratch_[cell]);
      }
    for (const WallPush& push : pushes_) scratch_[push.cell].speeds[push.direction] += Real(push.momentum);
  }

  void collision() {
    for (std::size_t cell = 0; cell < scratch_.size(); ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], scratch_[cell], *constants_);
  }

  double av_velocity() const {
    double tot_u = 0.0;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u / fluid_cells_;
  }

  std::vector<Cell> cells_, scratch_;
};

}  // namespace

extern const lbm::Variant swap = {
    .name = "swap",
    .summary = "rung 1: cells are collided where they arrived, then the grids change roles",
    .make = make_rung<Swap>};

}  // namespace boltzmark::serial
