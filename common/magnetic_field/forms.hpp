// The forms in which the field is computed, and constants of its equations.
#pragma once

#include <array>
#include <cstdint>
#include <numbers>
#include <vector>

namespace boltzmark::magnetic_field {

struct Form {
  enum : int { separable, gemm, direct, rows };
};

/// Sites of the layers whose modes a processor makes, and uses, at a time.
inline constexpr int layers_at_once = 1 << 19;

/// Values of sin(pi p y) and so on at grid points, exact for whole turns.
inline double half_turns(std::int64_t p, std::int64_t j, std::int64_t n) {
  return std::numbers::pi * static_cast<double>(p * j % (2 * n - 2)) / static_cast<double>(n - 1);
}

/// The height of the box, of which layer i of n is at i/n.
inline constexpr double height = 0.25;

// The equations in double precision: a sum over all modes at each point, for a row of points at a time.

class Oracle {
 public:
  Oracle(const std::vector<double>& boundary, std::int64_t n, double alpha);

  double shaded(std::int64_t j, std::int64_t k) const { return shaded_[j * n_ + k]; }

  /// Coefficients of modes p, q in layer i of the components, by their factors: sines or cosines of y and of z. If
  /// alpha is 0 there are no others.
  struct Modes {
    std::vector<double> x_ss, y_cs, y_sc, z_cs, z_sc;
  };
  Modes modes(std::int64_t i) const;
  /// Bx, By and Bz of the n points of row j in that layer.
  std::array<std::vector<double>, 3> row(const Modes& modes, std::int64_t j) const;

 private:
  double window(std::int64_t j) const;
  double sine(std::int64_t p, std::int64_t j) const { return sines_[p * n_ + j]; }

  std::int64_t n_;
  double alpha_;
  std::vector<double> shaded_, sines_, cosines_;  ///< by mode and place
  std::vector<double> coefficients_;
};

}  // namespace boltzmark::magnetic_field
