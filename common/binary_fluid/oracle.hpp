// What is right: the textbook in double precision, slow and never optimised; how far results are from it, what is
// conserved, and what theory says of a scene.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/textbook.hpp"
#include "common/run/record.hpp"

namespace boltzmark::binary_fluid {

class Oracle {
 public:
  explicit Oracle(const Case& one);

  /// What comes out of the collision of a site, as Fluid::read has it, from inputs that were rounded to values of so many bytes.
  std::array<double, collision_values> collided(std::int64_t site, int value_bytes) const;

  /// All interior sites after the steps of a simulation.
  std::vector<Seen> simulated() const;

 private:
  Case case_;
  textbook::Constants<double> constants_;
};

/// Largest difference and largest right value of a quantity.
class Difference {
 public:
  explicit Difference(const char* of) : of_(of) {}
  void add(double found, double right) {
    is_number_ = is_number_ && std::isfinite(found);
    largest_ = std::fmax(largest_, std::abs(found - right));
    scale_ = std::fmax(scale_, std::abs(right));
  }
  double scale() const { return scale_; }
  Deviation deviation(double least_scale = 0.0) const {
    return {of_, is_number_ ? std::optional(largest_ / std::fmax(scale_, least_scale)) : std::nullopt};
  }

 private:
  const char* of_;
  double largest_ = 0.0, scale_ = 0.0;
  bool is_number_ = true;
};

/// How far a collision is from the right one, by one part of its sites after the other; relative to the largest right
/// value of each kind.
class CollisionCheck {
 public:
  CollisionCheck(const Case& one, int value_bytes) : oracle_(one), value_bytes_(value_bytes) {}
  /// Fluid::results of these sites.
  void add(const std::vector<std::int64_t>& sites, std::span<const double> found);
  std::vector<Deviation> deviations() const { return {f_.deviation(), g_.deviation(), u_.deviation()}; }

 private:
  Oracle oracle_;
  int value_bytes_;
  Difference f_{"f"}, g_{"g"}, u_{"velocity"};
};

/// Of the sites of a simulation: each relative to its largest right value, density and velocity at least to the
/// chemical pressure, whose rounding is theirs where its differences cancel.
std::vector<Deviation> simulation_deviations(const Case& one, const std::vector<Seen>& right,
                                             std::span<const double> found);

/// Means of density, order parameter and momentum must not change.
std::vector<Deviation> conservation_deviations(const Statistics& start, const Statistics& now);

/// What is known of a scene: Ludwig's statistics of spinodal decomposition; the profile of interfaces; Laplace's law.
std::vector<Metric> scene_metrics(const Case& one, const Statistics& start, const Statistics& now,
                                  const std::vector<Seen>& sites);

}  // namespace boltzmark::binary_fluid
