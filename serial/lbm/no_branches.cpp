// No branches: `soa` with a ghost column at either end of a row, where the wrap has its values ready, and with a choice
// between two values where a solid cell took another path. The loop over a row does the same for every cell.
//
//   accelerate   from[i]    read and write one row
//   ghosts       from[i]    read and write two columns
//   time step    from[i]    read, to[i]     write     propagate, rebound and collision, of which one is chosen; |u|
#include <array>

#include "common/lbm/rung.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class NoBranches : public Rung<Real> {
  using Base = Rung<Real>;
  using Base::p_, Base::constants_, Base::solid_, Base::pushes_, Base::fluid_cells_, Base::index;
  using Cell = textbook::Cell<Real>;
  static constexpr int directions = D2Q9::directions;

 public:
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      fill_ghosts();
      double tot_u = 0.0;
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) tot_u += update_row(jj);
      av_vels[step] = tot_u / fluid_cells_;
      for (const WallPush& push : pushes_)
        to_[push.direction][place(push.cell % p_.nx, push.cell / p_.nx)] += Real(push.momentum);
      std::swap(from_, to_);
    }
  }

 private:
  void start(const std::vector<Real>& populations) override {
    const std::size_t cells = solid_.size();
    width_ = p_.nx + 2;
    for (int i = 0; i < directions; ++i) {
      from_[i].resize(width_ * p_.ny);
      to_[i].resize(width_ * p_.ny);
      for (int jj = 0; jj < p_.ny; ++jj)
        for (int ii = 0; ii < p_.nx; ++ii) from_[i][place(ii, jj)] = populations[i * cells + index(ii, jj)];
    }
  }

  Real at(int i, int x, int y) const override { return from_[i][place(x, y)]; }

  /// Of cell ii, jj in an array; columns -1 and nx are ghosts.
  std::int64_t place(std::int64_t ii, std::int64_t jj) const { return ii + 1 + width_ * jj; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      if (solid_[index(ii, jj)]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.speeds[i] = from_[i][place(ii, jj)];
      textbook::accelerate(cell, *constants_);
      for (int i = 0; i < directions; ++i) from_[i][place(ii, jj)] = cell.speeds[i];
    }
  }

  /// What leaves a row at one end arrives at the other.
  void fill_ghosts() {
    for (std::vector<Real>& f : from_)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj) {
        f[place(-1, jj)] = f[place(p_.nx - 1, jj)];
        f[place(p_.nx, jj)] = f[place(0, jj)];
      }
  }

  double update_row(std::int64_t jj) {
    const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
    const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
    // Row by row, where direction i comes from: cell ii takes arriving[i][ii].
    const std::int64_t rows[] = {jj, jj, y_s, jj, y_n, y_s, y_s, y_n, y_n};
    const Real* arriving[directions];
    Real* leaving[directions];
    for (int i = 0; i < directions; ++i) {
      arriving[i] = &from_[i][place(-D2Q9::cx[i], rows[i])];
      leaving[i] = &to_[i][place(0, jj)];
    }
    const std::uint8_t* const solid = &solid_[index(0, jj)];
    double tot_u = 0.0;
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      Cell arrived, bounced, collided;
      for (int i = 0; i < directions; ++i) arrived.speeds[i] = arriving[i][ii];
      textbook::rebound(arrived, bounced);
      textbook::collide(arrived, collided, *constants_);
      tot_u += solid[ii] ? Real(0) : textbook::speed(collided, *constants_);
      for (int i = 0; i < directions; ++i) leaving[i][ii] = solid[ii] ? bounced.speeds[i] : collided.speeds[i];
    }
    return tot_u;
  }

  std::int64_t width_ = 0;
  std::array<std::vector<Real>, directions> from_, to_;
};

}  // namespace

extern const lbm::Variant no_branches = {
    .name = "no-branches",
    .summary = "rung 4: ghost columns in place of the wrap, a choice of values in place of a branch",
    .make = make_rung<NoBranches>};

}  // namespace boltzmark::serial
