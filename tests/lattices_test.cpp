// Both lattices: tables, the cell of D3Q19, and the three-dimensional reference against D2Q9, flows of known decay, and
// published values of the lid-driven cavity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "common/lbm/check.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {
namespace {

template <class L>
class EveryLattice : public ::testing::Test {};
using Lattices = ::testing::Types<D2Q9, D3Q19>;
TYPED_TEST_SUITE(EveryLattice, Lattices);

/// Sums of w c_a c_b ... over all directions are those of the Maxwell distribution up to the fourth order.
TYPED_TEST(EveryLattice, TablesAreIsotropic) {
  using L = TypeParam;
  const std::array<const std::array<int, L::directions>*, 3> c = {&L::cx, &L::cy, &L::cz};
  const auto delta = [](int a, int b) { return a == b ? 1.0 : 0.0; };
  double weights = 0.0;
  for (int i = 0; i < L::directions; ++i) weights += L::weight[i];
  EXPECT_NEAR(weights, 1.0, 1e-15);
  for (int a = 0; a < L::dimension; ++a)
    for (int b = 0; b < L::dimension; ++b) {
      double second = 0.0;
      for (int i = 0; i < L::directions; ++i) second += L::weight[i] * (*c[a])[i] * (*c[b])[i];
      EXPECT_NEAR(second, delta(a, b) / 3.0, 1e-15);
      for (int d = 0; d < L::dimension; ++d)
        for (int e = 0; e < L::dimension; ++e) {
          double fourth = 0.0;
          for (int i = 0; i < L::directions; ++i)
            fourth += L::weight[i] * (*c[a])[i] * (*c[b])[i] * (*c[d])[i] * (*c[e])[i];
          EXPECT_NEAR(fourth, (delta(a, b) * delta(d, e) + delta(a, d) * delta(b, e) + delta(a, e) * delta(b, d)) / 9.0,
                      1e-15);
        }
    }
}

TYPED_TEST(EveryLattice, OppositesTurnRoundAndAxesComeFirst) {
  using L = TypeParam;
  EXPECT_EQ(1 + L::axes + L::diagonals, L::directions);
  for (int i = 0; i < L::directions; ++i) {
    const int back = L::opposite[i];
    EXPECT_EQ(L::cx[i], -L::cx[back]);
    EXPECT_EQ(L::cy[i], -L::cy[back]);
    EXPECT_EQ(L::cz[i], -L::cz[back]);
    const int length = std::abs(L::cx[i]) + std::abs(L::cy[i]) + std::abs(L::cz[i]);
    EXPECT_EQ(length, i == 0 ? 0 : i <= L::axes ? 1 : 2) << i;
    EXPECT_EQ(L::weight[i], length == 0 ? L::w_rest : length == 1 ? L::w_axis : L::w_diagonal);
    for (int k = 0; k < i; ++k)
      EXPECT_FALSE(L::cx[i] == L::cx[k] && L::cy[i] == L::cy[k] && L::cz[i] == L::cz[k]) << i << ' ' << k;
  }
}

constexpr Parameters parameters = {
    .nx = 8, .ny = 8, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.005, .omega = 1.7};

template <class L>
Populations<double, L> random_cell(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-0.0005, 0.0005);
  Populations<double, L> cell;
  for (double& f : cell.f) f = shift(random);
  return cell;
}

TYPED_TEST(EveryLattice, CollisionIsTheTextbookFormulaAndKeepsMassAndMomentum) {
  using L = TypeParam;
  const auto c = make_relaxation<double, L>(parameters);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto arrived = random_cell<L>(seed);
    const auto m = moments_of(arrived, c);
    const auto collided = collide(arrived, m, c);
    double full[L::directions], density = 0.0, j[3] = {}, after[4] = {};
    for (int i = 0; i < L::directions; ++i) {
      full[i] = arrived.f[i] + L::weight[i] * parameters.density;
      density += full[i];
      j[0] += L::cx[i] * full[i];
      j[1] += L::cy[i] * full[i];
      j[2] += L::cz[i] * full[i];
    }
    const double square = (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) / (density * density);
    for (int i = 0; i < L::directions; ++i) {
      const double cu = (L::cx[i] * j[0] + L::cy[i] * j[1] + L::cz[i] * j[2]) / density;
      const double equilibrium = L::weight[i] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * square);
      const double now = collided.f[i] + L::weight[i] * parameters.density;
      EXPECT_NEAR(now, full[i] + parameters.omega * (equilibrium - full[i]), 2e-16) << i;
      after[3] += now;
      after[0] += L::cx[i] * now;
      after[1] += L::cy[i] * now;
      after[2] += L::cz[i] * now;
    }
    EXPECT_NEAR(after[3], density, 1e-16);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(after[axis], j[axis], 1e-16);
    EXPECT_NEAR(speed_of(m, c), std::sqrt(square), 1e-15);
  }
}

TYPED_TEST(EveryLattice, BodyForceIsAllOrNothing) {
  using L = TypeParam;
  const auto c = make_relaxation<double, L>(parameters);
  const auto pushed = accelerate(Populations<double, L>{}, true, c);
  for (int i = 0; i < L::directions; ++i) EXPECT_NEAR(pushed.f[i], L::cx[i] * L::weight[i] * 0.1 * 0.005, 1e-18) << i;
  for (int i = 0; i < L::directions; ++i) {
    Populations<double, L> thin{};
    thin.f[i] = -L::weight[i] * 0.1;  // nothing there to take from
    const auto kept = accelerate(thin, true, c);
    for (int k = 0; k < L::directions; ++k)
      EXPECT_EQ(kept.f[k] == thin.f[k], L::cx[i] < 0 || L::cx[k] == 0) << i << ' ' << k;
  }
}

/// Weights that miss 1 by a rounding error would feed or drain every cell in every step.
template <class T>
void expect_exact_sums(double omega) {
  Parameters p = parameters;
  p.omega = omega;
  const auto c = make_relaxation<T, D3Q19>(p);
  using Wide = long double;
  EXPECT_EQ(Wide(c.keep) + 2 * Wide(c.odd_axis) + 8 * Wide(c.odd_diagonal), 1.0L) << omega;
  EXPECT_EQ(Wide(c.keep) + Wide(c.w_rest) + 6 * Wide(c.w_axis) + 12 * Wide(c.w_diagonal), 1.0L) << omega;
  EXPECT_EQ(8 * Wide(c.eighth_omega), 1.0L - Wide(c.keep));
  const double resolution = 4.0 * std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(c.keep, 1.0 - omega, resolution);
  EXPECT_NEAR(c.w_rest, omega / 3, resolution);
  EXPECT_NEAR(c.w_axis, omega / 18, resolution / 4);
  EXPECT_NEAR(c.w_diagonal, omega / 36, resolution / 4);
  EXPECT_NEAR(c.odd_axis, omega / 6, resolution);
  EXPECT_NEAR(c.odd_diagonal, omega / 12, resolution);
}

TEST(Relaxation, WeightsOfD3Q19SumToOneExactly) {
  for (int i = 1; i < 1999; ++i) expect_exact_sums<float>(i / 1000.0);
  for (const double omega : {0.7, 1.2, 1.6, 1.75, 1.85, 1.97}) expect_exact_sums<double>(omega);
}

/// A flow without walls in three dimensions.
Problem free_flow(int nx, int ny, int nz, double omega, Start start) {
  Problem problem;
  problem.parameters = {.nx = nx,
                        .ny = ny,
                        .nz = nz,
                        .dimension = 3,
                        .iterations = 1,
                        .reynolds_dim = 1,
                        .density = 1.0,
                        .accel = 0.0,
                        .omega = omega,
                        .start = start};
  return problem;
}

TEST(Oracle, AnExtrudedProblemIsThatInTwoDimensions) {
  Problem flat;
  flat.parameters = {
      .nx = 16, .ny = 12, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.005, .omega = 1.85};
  for (int x = 0; x < 16; ++x) flat.solid.push_back(x);
  for (const int cell : {16 * 5 + 4, 16 * 5 + 5, 16 * 6 + 4, 16 * 11 + 9}) flat.solid.push_back(cell);
  const int steps = 500;
  const Answer expected = solve_reference(flat, steps);
  for (const int depth : {1, 2, 3}) {
    const Problem deep = extruded(flat, depth);
    ASSERT_EQ(deep.cells(), flat.cells() * depth);
    const Answer found = solve_reference(deep, steps);
    for (int step = 0; step < steps; ++step)
      ASSERT_NEAR(found.av_vels[step] / expected.av_vels[step], 1.0, 1e-11) << depth << ' ' << step;
    for (std::size_t cell = 0; cell < found.state.ux.size(); ++cell) {
      const std::size_t below = cell % static_cast<std::size_t>(flat.cells());
      ASSERT_NEAR(found.state.ux[cell], expected.state.ux[below], 1e-13);
      ASSERT_NEAR(found.state.uy[cell], expected.state.uy[below], 1e-13);
      ASSERT_NEAR(found.state.uz[cell], 0.0, 1e-13);
      ASSERT_NEAR(found.state.density[cell], expected.state.density[below], 1e-13);
    }
  }
}

/// Root of the mean square of the error of Taylor-Green vortices on n x n cells over that of their speed, when they
/// have decayed to 1/e.
double taylor_green_error(int n) {
  const double u0 = 0.02 * 16 / n, k = 2 * std::numbers::pi / n;
  const Problem problem = free_flow(n, n, 2, 1.0, {.kind = Start::Kind::taylor_green, .velocity = {u0, 0, 0}});
  const int steps = static_cast<int>(1.0 / (2 * problem.viscosity() * k * k));
  const State state = solve_reference(problem, steps).state;
  const double decay = std::exp(-2 * problem.viscosity() * k * k * steps);
  double error = 0.0, whole = 0.0;
  std::size_t cell = 0;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x, ++cell) {
        const double ux = -decay * u0 * std::cos(k * x) * std::sin(k * y);
        const double uy = decay * u0 * std::sin(k * x) * std::cos(k * y);
        error += std::pow(state.ux[cell] - ux, 2) + std::pow(state.uy[cell] - uy, 2) + std::pow(state.uz[cell], 2);
        whole += ux * ux + uy * uy;
      }
  return std::sqrt(error / whole);
}

TEST(Oracle, TaylorGreenVorticesDecayAsTheViscositySays) {
  const double coarse = taylor_green_error(16), fine = taylor_green_error(32);
  EXPECT_LT(coarse, 1.6e-2);
  EXPECT_LT(fine, 4e-3);
  EXPECT_GT(coarse / fine, 3.3);  // second order
}

/// How much the viscosity that a shear wave decays with is off, of waves along `waves` in n^3 cells or as few as do.
double shear_wave_error(std::array<int, 3> waves, std::array<double, 3> velocity, int n, double omega) {
  const auto cells = [&](int axis) { return waves[axis] == 0 ? 1 : n; };
  const Problem problem = free_flow(cells(0), cells(1), cells(2), omega,
                                    {.kind = Start::Kind::shear_wave, .velocity = velocity, .waves = waves});
  double k_squared = 0.0;
  for (const int wave : waves) k_squared += std::pow(2 * std::numbers::pi * wave / n, 2);
  const int steps = static_cast<int>(1.0 / (problem.viscosity() * k_squared));
  const Answer answer = solve_reference(problem, steps);
  // From the first step on, when the start's equilibrium has become the flow's own populations.
  const int from = steps / 4, to = steps - 1;
  const double rate = std::log(answer.av_vels[from] / answer.av_vels[to]) / (to - from);
  return rate / k_squared / problem.viscosity() - 1.0;
}

TEST(Oracle, ShearWavesDecayAsTheViscositySaysInEveryDirection) {
  const struct {
    std::array<int, 3> waves;
    std::array<double, 3> velocity;
  } all[] = {{{0, 1, 0}, {1, 0, 0}},  {{0, 0, 1}, {0, 1, 0}},    {{1, 0, 0}, {0, 0, 1}},
             {{1, 1, 0}, {1, -1, 0}}, {{0, 1, 1}, {0.5, 1, -1}}, {{1, 0, 1}, {-1, 0.5, 1}}};
  for (const auto& wave : all) {
    std::array<double, 3> velocity = wave.velocity;
    for (double& u : velocity) u *= 1e-3;
    for (const double omega : {0.8, 1.7}) {
      const double coarse = shear_wave_error(wave.waves, velocity, 16, omega);
      const double fine = shear_wave_error(wave.waves, velocity, 32, omega);
      EXPECT_LT(std::abs(coarse), 4e-2) << omega;
      EXPECT_LT(std::abs(fine), 1e-2) << omega;
    }
  }
}

/// Values on the centre lines of the cavity at Re 100: Botella and Peyret, "Benchmark spectral results on the
/// lid-driven cavity flow", Computers & Fluids 27 (1998) 421-433.
TEST(Oracle, TheLidDrivenCavityIsThePublishedOne) {
  const int n = 33, side = n + 2;
  const double lid = 0.1, viscosity = lid * n / 100.0;
  Problem problem = free_flow(side, side, 1, 1.0 / (3.0 * viscosity + 0.5), {});
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      if (x == 0 || y == 0 || x == side - 1 || y == side - 1) {
        problem.solid.push_back(x + std::int64_t{side} * y);
        // The corners belong to the walls beside the lid.
        if (y == side - 1 && x > 0 && x < side - 1) problem.moving.push_back({problem.solid.back(), lid});
      }
  const State state = solve_reference(problem, 8000).state;
  const int middle = 1 + n / 2;
  double lowest_u = 0.0, lowest_v = 0.0, highest_v = 0.0;
  for (int i = 1; i <= n; ++i) {
    lowest_u = std::min(lowest_u, state.ux[static_cast<std::size_t>(middle + side * i)] / lid);
    const double v = state.uy[static_cast<std::size_t>(i + side * middle)] / lid;
    lowest_v = std::min(lowest_v, v);
    highest_v = std::max(highest_v, v);
  }
  EXPECT_NEAR(lowest_u, -0.2140, 0.003);
  EXPECT_NEAR(highest_v, 0.1796, 0.003);
  EXPECT_NEAR(lowest_v, -0.2538, 0.005);
}

}  // namespace
}  // namespace boltzmark::lbm
