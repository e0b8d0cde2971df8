// Facts about the bodies that are independent of models.
#pragma once

#include <array>

#include "common/target/layer.hpp"

namespace boltzmark::nbody {

/// The forms of the loop over pairs.
struct Form {
  enum : int { pairs, segments, array };
};

constexpr double gravity = 6.67384e-11, sun = 1.9891e30, light_year = 9.4607e15, year = 60 * 60 * 24 * 365.25;

/// Arrays of the results.
inline const std::vector<std::string> coordinates = {"x", "y", "z", "vx", "vy", "vz"};

/// The units in SI, and the least square of a distance.
struct Units {
  double length = 1.0, mass = 1.0, time = 1.0, least = 1.0;

  double dt() const { return year / time; }
  /// Factor from a sum of m d / |d|^3 to the change of velocity in a step.
  double strength() const { return gravity * mass * time * time / (length * length * length) * dt(); }
  double of(std::size_t coordinate) const { return coordinate < 3 ? length : length / time; }
};
/// The cube of a distance in SI exceeds a float, and a float does not resolve distances below 10 km.
template <class T>
constexpr Units units = sizeof(T) == sizeof(double)
                            ? Units{}
                            : Units{.length = light_year / 100, .mass = sun, .time = year, .least = 1e-20};

/// Values per body, of which a step reads 7 and writes 6.
inline WorkingSet set_of_bodies(const target::Problem& problem, int values, int value_bytes) {
  const auto bodies = static_cast<double>(problem.size[0]);
  return {"bodies", values * bodies * value_bytes, 13.0 / bodies * value_bytes};
}

/// In SI and double precision.
struct Bodies {
  std::vector<double> m;
  std::array<std::vector<double>, 6> at;  ///< in the order of `coordinates`
};
/// Change of the velocity of one body in a step due to all others, and the sum of the magnitudes of the terms.
struct Kick {
  std::array<double, 3> of = {}, magnitudes = {};
};
/// `least`: of the square of a distance.
std::vector<Kick> kicks(const Bodies& bodies, const std::vector<std::int64_t>& of_bodies, double least);
void advance(Bodies& bodies, double least);

}  // namespace boltzmark::nbody
