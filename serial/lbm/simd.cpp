// SIMD: `no-branches` with several cells at once. `#pragma omp simd` says that no cell of a row waits for another and
// that the order of the sum is free, and the program is compiled for this machine's vectors. The cell is that of cell.h,
// the same method with one division and fewer operations.
//
//   accelerate   from[i]    read and write one row
//   ghosts       from[i]    read and write two columns
//   time step    from[i]    read, to[i]     write     propagate, rebound and collision, of which one is chosen; |u|
#include <array>

#include "common/lbm/relaxation.hpp"
#include "common/lbm/rung.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Simd : public Rung<Real> {
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
    relaxation_ = make_relaxation<Real>(p_);
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

  Real update_row(std::int64_t jj) {
    const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
    const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
    // Where direction i comes from, and where it goes: of cell ii at [ii].
    const auto arriving = [&](int i, std::int64_t row) { return &from_[i][place(-D2Q9::cx[i], row)]; };
    const auto leaving = [&](int i) { return &to_[i][place(0, jj)]; };
    const Real *const a0 = arriving(0, jj), *const a1 = arriving(1, jj), *const a2 = arriving(2, y_s),
                      *const a3 = arriving(3, jj), *const a4 = arriving(4, y_n), *const a5 = arriving(5, y_s),
                      *const a6 = arriving(6, y_s), *const a7 = arriving(7, y_n), *const a8 = arriving(8, y_n);
    Real *const l0 = leaving(0), *const l1 = leaving(1), *const l2 = leaving(2), *const l3 = leaving(3),
                *const l4 = leaving(4), *const l5 = leaving(5), *const l6 = leaving(6), *const l7 = leaving(7),
                *const l8 = leaving(8);
    const std::uint8_t* const solid = &solid_[index(0, jj)];
    const Relaxation<Real> c = relaxation_;
    Real speeds = 0;
#pragma omp simd reduction(+ : speeds)
    for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
      const Populations<Real> arrived = {{a0[ii], a1[ii], a2[ii], a3[ii], a4[ii], a5[ii], a6[ii], a7[ii], a8[ii]}};
      const Moments<Real> m = moments_of(arrived, c);
      const Populations<Real> collided = collide(arrived, m, c), bounced = bounce_back(arrived);
      const bool is_solid = solid[ii];
      speeds += is_solid ? Real(0) : speed_of(m, c);
      l0[ii] = is_solid ? bounced.f[0] : collided.f[0];
      l1[ii] = is_solid ? bounced.f[1] : collided.f[1];
      l2[ii] = is_solid ? bounced.f[2] : collided.f[2];
      l3[ii] = is_solid ? bounced.f[3] : collided.f[3];
      l4[ii] = is_solid ? bounced.f[4] : collided.f[4];
      l5[ii] = is_solid ? bounced.f[5] : collided.f[5];
      l6[ii] = is_solid ? bounced.f[6] : collided.f[6];
      l7[ii] = is_solid ? bounced.f[7] : collided.f[7];
      l8[ii] = is_solid ? bounced.f[8] : collided.f[8];
    }
    return speeds;
  }

  std::int64_t width_ = 0;
  Relaxation<Real> relaxation_;
  std::array<std::vector<Real>, directions> from_, to_;
};

}  // namespace

extern const lbm::Variant simd = {
    .name = "simd", .summary = "rung 5: several cells at once, by the compiler's own vectors", .make = make_rung<Simd>};

}  // namespace boltzmark::serial
