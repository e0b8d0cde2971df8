// The method in double precision and in SI units.
#include <cmath>

#include "common/nbody/bodies.hpp"

namespace boltzmark::nbody {

std::array<std::vector<double>, 3> kicks(const Bodies& bodies, std::size_t first, std::size_t end) {
  std::array<std::vector<double>, 3> kick;
  kick.fill(std::vector<double>(end - first));
  const auto &x = bodies.at[0], &y = bodies.at[1], &z = bodies.at[2];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double strength = gravity * year * bodies.m[i], x_i = x[i], y_i = y[i], z_i = z[i];
    for (std::size_t j = first; j < end; ++j) {
      const double dx = x_i - x[j], dy = y_i - y[j], dz = z_i - z[j], square = dx * dx + dy * dy + dz * dz;
      const double least = square > 1.0 ? square : 1.0, pull = strength / (least * std::sqrt(least));
      kick[0][j - first] += pull * dx;
      kick[1][j - first] += pull * dy;
      kick[2][j - first] += pull * dz;
    }
  }
  return kick;
}

void advance(Bodies& bodies) {
  const auto kick = kicks(bodies, 0, bodies.m.size());
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t j = 0; j < bodies.m.size(); ++j) {
      double& v = bodies.at[axis + 3][j];
      v += kick[axis][j];
      bodies.at[axis][j] += year * v;
    }
}

}  // namespace boltzmark::nbody
