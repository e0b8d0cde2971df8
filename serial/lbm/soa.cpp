// Structure of arrays: `fused-loops` with an array for each population in place of an array of cells. What a loop over a
// row reads and writes is then contiguous, population by population.
//
//   accelerate   from[i]    read and write one row
//   time step    from[i]    read, to[i]     write     propagate, then rebound or collision, then |u|
#include <array>

#include "common/lbm/rung.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Soa : public Rung<Real> {
  using Base = Rung<Real>;
  using Base::p_, Base::constants_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = textbook::Cell<Real>;
  static constexpr int directions = D2Q9::directions;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      av_vels[step] = time_step() / fluid_cells_;
      for (const WallPush& push : pushes_) to_[push.direction][push.cell] += Real(push.momentum);
      std::swap(from_, to_);
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    for (int i = 0; i < directions; ++i) {
      from_[i].assign(populations.begin() + i * cells, populations.begin() + (i + 1) * cells);
      to_[i].resize(cells);
    }
  }

  Real at(int i, int x, int y) const override { return from_[i][index(x, y)]; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      const std::int64_t at = index(ii, jj);
      if (solid_[at]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.speeds[i] = from_[i][at];
      textbook::accelerate(cell, *constants_);
      for (int i = 0; i < directions; ++i) from_[i][at] = cell.speeds[i];
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
        const Cell arrived = {{from_[0][index(ii, jj)], from_[1][index(x_w, jj)], from_[2][index(ii, y_s)],
                               from_[3][index(x_e, jj)], from_[4][index(ii, y_n)], from_[5][index(x_w, y_s)],
                               from_[6][index(x_e, y_s)], from_[7][index(x_e, y_n)], from_[8][index(x_w, y_n)]}};
        Cell cell;
        if (solid_[index(ii, jj)]) {
          textbook::rebound(arrived, cell);
        } else {
          textbook::collide(arrived, cell, *constants_);
          tot_u += textbook::speed(cell, *constants_);
        }
        for (int i = 0; i < directions; ++i) to_[i][index(ii, jj)] = cell.speeds[i];
      }
    return tot_u;
  }

  std::array<std::vector<Real>, directions> from_, to_;
};

}  // namespace

extern const lbm::Variant soa = {
    .name = "soa", .summary = "rung 3: a structure of arrays, one for each population", .make = make_rung<Soa>};

}  // namespace boltzmark::serial
