// The method in double precision and in SI units.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/cpu/in_parallel.hpp"
#include "common/nbody/bodies.hpp"

namespace boltzmark::nbody {
namespace {

constexpr std::size_t at_once = 64;  ///< bodies for which each other one is read once

void add_kicks(const Bodies& bodies, const std::int64_t* of_bodies, std::size_t count, double least, Kick* kicks) {
  const auto &x = bodies.at[0], &y = bodies.at[1], &z = bodies.at[2];
  double here[3][at_once] = {}, sum[3][at_once] = {}, magnitude[3][at_once] = {};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t j = 0; j < count; ++j) here[axis][j] = bodies.at[axis][static_cast<std::size_t>(of_bodies[j])];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double strength = gravity * year * bodies.m[i], x_i = x[i], y_i = y[i], z_i = z[i];
    for (std::size_t j = 0; j < at_once; ++j) {
      const double dx = x_i - here[0][j], dy = y_i - here[1][j], dz = z_i - here[2][j];
      const double sum_of_squares = dx * dx + dy * dy + dz * dz,
                   square = sum_of_squares > least ? sum_of_squares : least;
      const double pull = strength / (square * std::sqrt(square));
      sum[0][j] += pull * dx, magnitude[0][j] += std::abs(pull * dx);
      sum[1][j] += pull * dy, magnitude[1][j] += std::abs(pull * dy);
      sum[2][j] += pull * dz, magnitude[2][j] += std::abs(pull * dz);
    }
  }
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t axis = 0; axis < 3; ++axis)
      kicks[j].of[axis] = sum[axis][j], kicks[j].magnitudes[axis] = magnitude[axis][j];
}

}  // namespace

std::vector<Kick> kicks(const Bodies& bodies, const std::vector<std::int64_t>& of_bodies, double least) {
  const std::size_t all = of_bodies.size();
  std::vector<Kick> kicks(all);
  each_in_parallel(static_cast<std::int64_t>((all + at_once - 1) / at_once), [&](std::int64_t block) {
    const std::size_t first = static_cast<std::size_t>(block) * at_once;
    add_kicks(bodies, &of_bodies[first], std::min(at_once, all - first), least, &kicks[first]);
  });
  return kicks;
}

void advance(Bodies& bodies, double least) {
  std::vector<std::int64_t> all(bodies.m.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<Kick> kick = kicks(bodies, all, least);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t j = 0; j < bodies.m.size(); ++j) {
      double& v = bodies.at[axis + 3][j];
      v += kick[j].of[axis];
      bodies.at[axis][j] += year * v;
    }
}

}  // namespace boltzmark::nbody
