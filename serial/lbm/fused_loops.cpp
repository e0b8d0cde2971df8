// Fused loops: `swap` with one loop in place of four. A cell's populations are in registers from arrival until they are
// written, and its speed costs no further way through memory.
//
//   accelerate   cells      read and write one row
//   time step    cells      read, scratch   write     propagate, then rebound or collision, then |u|
#include "common/lbm/rung.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class FusedLoops : public Rung<Real> {
  using Base = Rung<Real>;
  using Base::p_, Base::constants_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = textbook::Cell<Real>;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      av_vels[step] = time_step() / fluid_cells_;
      for (const WallPush& push : pushes_) scratch_[push.cell].speeds[push.direction] += Real(push.momentum);
      std::swap(cells_, scratch_);
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

  Real at(int i, int x, int y) const override { return cells_[index(x, y)].speeds[i]; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii)
      if (!solid_[index(ii, jj)]) textbook::accelerate(cells_[index(ii, jj)], *constants_);
  }

  double time_step() {
    double tot_u = 0.0;
    for (std::int64_t jj = 0; jj < p_.ny; ++jj)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
        const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
        const std::int64_t x_e = ii == p_.nx - 1 ? 0 : ii + 1;
        const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
        const std::int64_t x_w = ii == 0 ? p_.nx - 1 : ii - 1;
        Cell arrived;
        textbook::propagate(&cells_[y_s * p_.nx], &cells_[jj * p_.nx], &cells_[y_n * p_.nx], x_w, ii, x_e, arrived);
        Cell& cell = scratch_[index(ii, jj)];
        if (solid_[index(ii, jj)]) {
          textbook::rebound(arrived, cell);
        } else {
          textbook::collide(arrived, cell, *constants_);
          tot_u += textbook::speed(cell, *constants_);
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
