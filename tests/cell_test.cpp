// The cell update on its own: conservation laws, equality of scalar and vector forms, and counted operations.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "common/cpu/simd.hpp"
#include "common/cpu/simd_single.hpp"
#include "common/cpu/simd_wide.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/counting.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/relaxation.hpp"

namespace boltzmark::lbm {
namespace {

constexpr Parameters parameters = {
    .nx = 8, .ny = 8, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.005, .omega = 1.7};

Populations<double> random_cell(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-0.0005, 0.0005);
  Populations<double> cell;
  for (double& f : cell.f) f = shift(random);
  return cell;
}

TEST(Lattice, IsConsistent) {
  double weights = 0.0;
  for (int i = 0; i < D2Q9::directions; ++i) {
    weights += D2Q9::weight[i];
    const int back = D2Q9::opposite[i];
    EXPECT_EQ(D2Q9::cx[i], -D2Q9::cx[back]);
    EXPECT_EQ(D2Q9::cy[i], -D2Q9::cy[back]);
    EXPECT_EQ(D2Q9::weight[i], D2Q9::weight[back]);
  }
  EXPECT_DOUBLE_EQ(weights, 1.0);
}

TEST(Cell, CollisionIsTheTextbookFormula) {
  const auto c = make_relaxation<double>(parameters);
  const auto arrived = random_cell(1);
  const auto collided = collide(arrived, moments_of(arrived, c), c);
  double full[9], density = 0.0, jx = 0.0, jy = 0.0;
  for (int i = 0; i < 9; ++i) {
    full[i] = arrived.f[i] + D2Q9::weight[i] * parameters.density;
    density += full[i];
    jx += D2Q9::cx[i] * full[i];
    jy += D2Q9::cy[i] * full[i];
  }
  for (int i = 0; i < 9; ++i) {
    const double ux = jx / density, uy = jy / density, cu = D2Q9::cx[i] * ux + D2Q9::cy[i] * uy;
    const double equilibrium = D2Q9::weight[i] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
    const double expected = full[i] + parameters.omega * (equilibrium - full[i]);
    EXPECT_NEAR(collided.f[i] + D2Q9::weight[i] * parameters.density, expected, 1e-16) << "direction " << i;
  }
  EXPECT_NEAR(speed_of(moments_of(arrived, c), c), std::hypot(jx, jy) / density, 1e-15);
}

TEST(Cell, CollisionConservesMassAndMomentum) {
  const auto c = make_relaxation<double>(parameters);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto before = moments_of(random_cell(seed), c);
    const auto after = moments_of(collide(random_cell(seed), before, c), c);
    EXPECT_NEAR(after.density_shift, before.density_shift, 1e-17);
    EXPECT_NEAR(after.jx, before.jx, 1e-17);
    EXPECT_NEAR(after.jy, before.jy, 1e-17);
  }
}

TEST(Cell, BounceBackTurnsEveryDirection) {
  const auto arrived = random_cell(2), turned = bounce_back(arrived);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(turned.f[i], arrived.f[D2Q9::opposite[i]]);
}

TEST(Cell, AccelerationIsAllOrNothing) {
  const auto c = make_relaxation<double>(parameters);
  Populations<double> cell{};
  const auto pushed = accelerate(cell, true, c);
  EXPECT_EQ(pushed.f[1], 0.1 * 0.005 / 9);
  EXPECT_EQ(pushed.f[6], -0.1 * 0.005 / 36);
  EXPECT_EQ(accelerate(cell, false, c).f[1], 0.0);
  for (const int i : {3, 6, 7}) {
    Populations<double> thin{};
    thin.f[i] = -D2Q9::weight[i] * 0.1;  // nothing there to take from
    const auto kept = accelerate(thin, true, c);
    for (int k = 0; k < 9; ++k) EXPECT_EQ(kept.f[k], thin.f[k]) << i << ' ' << k;
  }
}

/// Weights that miss 1 by a rounding error would feed or drain every cell in every step.
template <class T>
void expect_exact_sums(double omega) {
  Parameters p = parameters;
  p.omega = omega;
  const auto c = make_relaxation<T>(p);
  using Wide = long double;
  EXPECT_EQ(Wide(c.keep) + 2 * Wide(c.odd_axis) + 4 * Wide(c.odd_diagonal), 1.0L) << omega;
  EXPECT_EQ(Wide(c.keep) + Wide(c.w_rest) + 4 * Wide(c.w_axis) + 4 * Wide(c.w_diagonal), 1.0L) << omega;
  const double resolution = 4.0 * std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(c.keep, 1.0 - omega, resolution);
  EXPECT_NEAR(c.w_rest, omega * 4 / 9, resolution);
  EXPECT_NEAR(c.w_axis, omega / 9, resolution);
  EXPECT_NEAR(c.w_diagonal, omega / 36, resolution);
  EXPECT_NEAR(c.odd_axis, omega / 3, resolution);
  EXPECT_NEAR(c.odd_diagonal, omega / 12, resolution);
}

TEST(Relaxation, WeightsSumToOneExactly) {
  for (int i = 1; i < 1999; ++i) expect_exact_sums<float>(i / 1000.0);
  for (const double omega : {0.7, 1.2, 1.6, 1.75, 1.85, 1.97}) expect_exact_sums<double>(omega);
}

template <class T, int N>
T& lane_of(Pack<T, N>& pack, int lane) {
  return reinterpret_cast<T*>(&pack.raw)[lane];
}
template <class T, int N>
T& lane_of(Wide<T, N>& pack, int lane) {
  return lane < N / 2 ? lane_of(pack.low, lane) : lane_of(pack.high, lane - N / 2);
}
template <class T>
T& lane_of(Single<T>& pack, int /*lane*/) {
  return pack.value;
}

/// A pack computes in each lane what a scalar would.
template <class Vector>
void expect_pack_equals_scalars(double tolerance) {
  using T = typename Vector::Scalar;
  const auto c = make_relaxation<T>(parameters);
  Populations<Vector> packed;
  Populations<T> single[Vector::lanes];
  for (int lane = 0; lane < Vector::lanes; ++lane) {
    const auto cell = random_cell(static_cast<unsigned>(lane));
    for (int i = 0; i < 9; ++i) lane_of(packed.f[i], lane) = single[lane].f[i] = static_cast<T>(cell.f[i]);
  }
  const std::uint32_t fluid = 0x5a5a5a5au;
  const auto m = moments_of(packed, c);
  auto out = accelerate(collide(packed, m, c), Vector::mask_from_bits(fluid), c);
  Vector speed = speed_of(m, c), up = speed.rotated_up(), down = speed.rotated_down();
  double sum = 0.0;
  for (int lane = 0; lane < Vector::lanes; ++lane) {
    const auto one = moments_of(single[lane], c);
    sum += speed_of(one, c);
    EXPECT_NEAR(lane_of(speed, lane), speed_of(one, c), tolerance);
    EXPECT_EQ(lane_of(up, (lane + 1) % Vector::lanes), lane_of(speed, lane));
    EXPECT_EQ(lane_of(down, lane), lane_of(speed, (lane + 1) % Vector::lanes));
    const auto expected = accelerate(collide(single[lane], one, c), (fluid >> lane & 1) != 0, c);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(lane_of(out.f[i], lane), expected.f[i], tolerance) << lane << ' ' << i;
  }
  EXPECT_NEAR(speed.sum(), sum, 10 * tolerance);
}

TEST(Pack, EqualsScalars) {
  expect_pack_equals_scalars<Pack<float, 4>>(1e-8);
  expect_pack_equals_scalars<Pack<float, 8>>(1e-8);
  expect_pack_equals_scalars<Pack<float, 16>>(1e-8);
  expect_pack_equals_scalars<Pack<double, 2>>(1e-16);
  expect_pack_equals_scalars<Pack<double, 4>>(1e-16);
  expect_pack_equals_scalars<Pack<double, 8>>(1e-16);
  // Lengths that no instruction set has: the portable form.
  expect_pack_equals_scalars<Pack<float, 2>>(1e-8);
  expect_pack_equals_scalars<Pack<float, 32>>(1e-8);
  expect_pack_equals_scalars<Pack<double, 16>>(1e-16);
}

TEST(Wide, EqualsScalars) {
  expect_pack_equals_scalars<Wide<float, 2 * native_lanes<float>>>(1e-8);
  expect_pack_equals_scalars<Wide<float, 32>>(1e-8);
  expect_pack_equals_scalars<Wide<double, 16>>(1e-16);
}

TEST(Single, EqualsScalars) {
  expect_pack_equals_scalars<Single<float>>(1e-8);
  expect_pack_equals_scalars<Single<double>>(1e-16);
}

/// Every finite half becomes its float and the same half again; a float between two halves is truncated.
template <int lanes>
void expect_halves_are_kept() {
  for (unsigned first = 0; first < 0x10000u; first += lanes) {
    std::array<Half, lanes> halves, again, between;
    for (int i = 0; i < lanes; ++i) halves[i].bits = static_cast<HalfBits>(first + i);
    const auto floats = Pack<float, lanes>::load(halves.data());
    floats.store(again.data());
    (floats * (1.0f + 0x1p-12f)).store(between.data());
    for (int i = 0; i < lanes; ++i) {
      const HalfBits bits = halves[i].bits;
      if ((bits & 0x7c00u) == 0x7c00u) continue;
      EXPECT_EQ(float(floats.raw[i]), half_to_float(bits)) << bits;
      EXPECT_EQ(again[i].bits, bits);
      EXPECT_EQ(between[i].bits, bits);
    }
  }
}
TEST(Pack, LoadsAndStoresHalves) {
  expect_halves_are_kept<4>();
  expect_halves_are_kept<native_lanes<float>>();
}

TEST(Counting, CountsEveryOperationOnce) {
  EXPECT_EQ(count_flops([] {
              Counted a = 1.0, b = 2.0;
              Counted d = a * b + a / b - square_root(b);
              d = choose(a > b, d, a);
            }),
            6.0);
}

TEST(Counting, CellUpdateNeedsFewerOperationsThanTheConventionalFigure) {
  const double flops = counted_cell_flops();
  EXPECT_GT(flops, 60.0);
  EXPECT_LT(flops, 122.0);
}

TEST(Strip, ConservesMassWithObstacles) {
  Problem problem;
  problem.parameters = parameters;
  problem.parameters.nx = 21;
  problem.parameters.ny = 13;
  problem.solid = {0, 5, 40, 41, 42, 100, 272};
  Strip<double> strip(problem, 0, 13, false);
  strip.init_layers(0, 13);
  const int steps = 301;
  for (int step = 0; step < steps; ++step) strip.update_layers(0, 13, step, step == steps - 1);
  double shift = 0.0, moved = 0.0;  // populations in obstacle cells included: all mass there is
  for (int i = 0; i < 9; ++i)
    for (int y = 0; y < 13; ++y)
      for (int x = 0; x < 21; ++x) {
        shift += strip.segment(i, y, 0, steps)[x];
        moved += std::abs(strip.segment(i, y, 0, steps)[x]);
      }
  EXPECT_GT(moved, 1e-3);
  EXPECT_NEAR(shift, 0.0, 1e-13);
}

}  // namespace
}  // namespace boltzmark::lbm
