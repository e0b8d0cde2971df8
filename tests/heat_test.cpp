// The heat equation: the reference against theory and published figures.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/heat/oracle.hpp"

namespace boltzmark::heat {
namespace {

Oracle after(const Plate& plate, int steps) {
  Oracle oracle(plate);
  oracle.go_to(steps);
  return oracle;
}

/// A plate that begins with an eigenmode, but is computed step by step.
TEST(HeatOracle, LetsEigenmodesDecayAsTheyShould) {
  Plate plate{.width = 40, .height = 23, .start = Start::mode, .waves_x = 3, .waves_y = 2};
  const Oracle theory = after(plate, 100);
  std::vector<double> now(42 * 25), next(42 * 25);
  for (int y = -1; y <= 23; ++y) plate.fill(y, now.data() + (y + 1) * 42);
  std::vector<double> deltas;
  for (int step = 0; step < 100; ++step) {
    double delta = 0.0;
    for (int y = 1; y <= 23; ++y)
      for (int x = 1; x <= 40; ++x) {
        const double* const at = now.data() + y * 42 + x;
        next[y * 42 + x] = 0.2 * (at[0] + at[-42] + at[42] + at[-1] + at[1]);
        delta += std::abs(next[y * 42 + x] - at[0]);
      }
    deltas.push_back(delta);
    now.swap(next);
  }
  EXPECT_LT(theory.field_error([&](std::int64_t row, std::span<double> values) {
    std::copy_n(now.begin() + (row + 1) * 42 + 1, 40, values.begin());
  }),
            1e-14);
  EXPECT_LT(theory.delta_error(deltas), 1e-14);
}

/// By symmetry the centre of a square comes to the mean of its sides.
TEST(HeatOracle, ComesToTheSteadyState) {
  EXPECT_NEAR(after({.width = 21, .height = 21}, 4000).temperature(10, 10), cold + (hot - cold) / 4, 1e-9);
}

TEST(HeatOracle, GivesThePublishedDeltas) {
  Oracle oracle({.width = 100, .height = 100});
  oracle.go_to(29774);
  const auto& deltas = oracle.deltas();
  EXPECT_NEAR(deltas[0], 17157.0, 1e-9);
  EXPECT_NEAR(deltas[9], 6521.6268655, 5e-8);
  EXPECT_NEAR(deltas[99], 1911.7463695, 5e-8);
  EXPECT_NEAR(deltas[999], 429.52473112, 5e-9);
  EXPECT_GT(deltas[29772], 0.005);
  EXPECT_LE(deltas[29773], 0.005);
}

TEST(HeatOracle, KeepsTheMaximumPrinciple) {
  const Plate plate{.width = 31, .height = 17, .start = Start::noise};
  const Oracle oracle = after(plate, 30);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 31; ++x) {
      EXPECT_GT(oracle.temperature(y, x), cold);
      EXPECT_LT(oracle.temperature(y, x), hot);
    }
}

TEST(HeatOracle, FindsWhatIsWrong) {
  const Plate plate{.width = 9, .height = 5, .start = Start::noise};
  const Oracle oracle = after(plate, 3);
  const auto error_with = [&](double wrong) {
    return oracle.field_error([&](std::int64_t row, std::span<double> values) {
      for (int x = 0; x < 9; ++x) values[x] = oracle.temperature(row, x) + (row == 4 && x == 8 ? wrong : 0.0);
    });
  };
  EXPECT_EQ(error_with(0.0), 0.0);
  EXPECT_GT(error_with(0.01), Oracle::tolerance(4, 3));
  EXPECT_EQ(error_with(std::nan("")), std::numeric_limits<double>::infinity());
  std::vector<double> deltas = oracle.deltas();
  EXPECT_EQ(oracle.delta_error(deltas), 0.0);
  deltas[1] *= 1.001;
  EXPECT_GT(oracle.delta_error(deltas), Oracle::tolerance(4, 3));
}

/// A step forgotten, or one too many.
TEST(HeatOracle, KnowsTheStep) {
  const Plate plate{.width = 30, .height = 30};
  Oracle oracle = after(plate, 7);
  const Oracle later = after(plate, 8);
  const auto of_later = [&](std::int64_t row, std::span<double> values) {
    for (int x = 0; x < 30; ++x) values[x] = later.temperature(row, x);
  };
  EXPECT_GT(oracle.field_error(of_later), Oracle::tolerance(4, 7));
  oracle.go_to(8);
  EXPECT_EQ(oracle.field_error(of_later), 0.0);
  oracle.go_to(2);
  EXPECT_EQ(oracle.deltas().size(), 2u);
}

}  // namespace
}  // namespace boltzmark::heat
