// Structure of arrays: `fused-loops` with an array for each population instead of an array of cells. A loop over a row
// then reads and writes contiguous values of each population.
//
//   accelerate   from    read and write one row
//   time step    from    read, to      write     propagate, then rebound or collision, then |u|
#include "common/lbm/ladder.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Soa : public LadderSolver<Real> {
  using Base = LadderSolver<Real>;
  using Base::p_, Base::relaxation_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = Populations<Real>;
  static constexpr int directions = D2Q9::directions;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      av_vels[step] = time_step() / fluid_cells_;
      for (const WallPush& push : pushes_) to_[push.direction * stride_ + push.cell] += Real(push.momentum);
      std::swap(from_, to_);
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    // A few cache lines between the arrays: a power of two apart, they would share the cache's sets.
    stride_ = cells + 208;
    from_.resize(directions * stride_);
    to_.resize(directions * stride_);
    for (int i = 0; i < directions; ++i)
      for (std::size_t cell = 0; cell < cells; ++cell) from_[i * stride_ + cell] = populations[i * cells + cell];
  }

  Real at(int i, int x, int y) const override { return from_[i * stride_ + index(x, y)]; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      const std::int64_t at = index(ii, jj);
      if (solid_[at]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.f[i] = from_[i * stride_ + at];
      cell = accelerate(cell, true, relaxation_);
      for (int i = 0; i < directions; ++i) from_[i * stride_ + at] = cell.f[i];
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
        const Cell arrived = {{from_[0 * stride_ + index(ii, jj)], from_[1 * stride_ + index(x_w, jj)],
                               from_[2 * stride_ + index(ii, y_s)], from_[3 * stride_ + index(x_e, jj)],
                               from_[4 * stride_ + index(ii, y_n)], from_[5 * stride_ + index(x_w, y_s)],
                               from_[6 * stride_ + index(x_e, y_s)], from_[7 * stride_ + index(x_e, y_n)],
                               from_[8 * stride_ + index(x_w, y_n)]}};
        Cell cell;
        if (solid_[index(ii, jj)]) {
          cell = bounce_back(arrived);
        } else {
          const Moments<Real> m = moments_of(arrived, relaxation_);
          cell = collide(arrived, m, relaxation_);
          tot_u += speed_of(m, relaxation_);
        }
        for (int i = 0; i < directions; ++i) to_[i * stride_ + index(ii, jj)] = cell.f[i];
      }
    return tot_u;
  }

  std::size_t stride_ = 0;  ///< from one population's array to the next
  std::vector<Real> from_, to_;
};

}  // namespace

extern const lbm::Variant soa = {
    .name = "soa", .summary = "rung 3: a structure of arrays, one for each population", .make = make_rung<Soa>};

}  // namespace boltzmark::serial
