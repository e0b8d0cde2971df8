// Fused loops: `swap` with one loop instead of four, so a step passes through memory once. A cell's populations stay in
// registers from arrival until they are written; the collision is that of cell.h, the same method with one division.
//
//   accelerate   cells      read and write one row
//   time step    cells      read, scratch   write     propagate, then rebound or collision, then |u|
#include "common/lbm/ladder.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class FusedLoops : public LadderSolver<Real> {
  using Base = LadderSolver<Real>;
  using Base::p_, Base::relaxation_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = Populations<Real>;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      av_vels[step] = time_step() / fluid_cells_;
      for (const WallPush& push : pushes_) scratch_[push.cell].f[push.direction] += Real(push.momentum);
      std::swap(cells_, scratch_);
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    cells_.resize(cells);
    scratch_.resize(cells);
    for (std::size_t cell = 0; cell < cells; ++cell)
      for (int i = 0; i < D2Q9::directions; ++i) cells_[cell].f[i] = populations[i * cells + cell];
  }

  Real at(int i, int x, int y) const override { return cells_[index(x, y)].f[i]; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      Cell& cell = cells_[index(ii, jj)];
      cell = accelerate(cell, !solid_[index(ii, jj)], relaxation_);
    }
  }

  double time_step() {
    double tot_u = 0.0;
    for (std::int64_t jj = 0; jj < p_.ny; ++jj)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
        const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
        const std::int64_t x_e = ii == p_.nx - 1 ? 0 : ii + 1;
        const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
        const std::int64_t x_w = ii == 0 ? p_.nx - 1 : ii - 1;
        const Cell arrived = {{cells_[index(ii, jj)].f[0], cells_[index(x_w, jj)].f[1], cells_[index(ii, y_s)].f[2],
                               cells_[index(x_e, jj)].f[3], cells_[index(ii, y_n)].f[4], cells_[index(x_w, y_s)].f[5],
                               cells_[index(x_e, y_s)].f[6], cells_[index(x_e, y_n)].f[7],
                               cells_[index(x_w, y_n)].f[8]}};
        if (solid_[index(ii, jj)]) {
          scratch_[index(ii, jj)] = bounce_back(arrived);
        } else {
          const Moments<Real> m = moments_of(arrived, relaxation_);
          scratch_[index(ii, jj)] = collide(arrived, m, relaxation_);
          tot_u += speed_of(m, relaxation_);
        }
      }
    return tot_u;
  }

  std::vector<Cell> cells_, scratch_;
};

}  // namespace

extern const lbm::Variant fused_loops = {.name = "fused-loops",
                                         .summary = "rung 2: one loop from arrival to collision and speed",
                                         .make = make_rung<FusedLoops>};

}  // namespace boltzmark::serial
