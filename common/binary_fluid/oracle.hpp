// What is right: the textbook in double precision, slow and never optimised; how far results are from it, what is
// conserved, and what theory says of a scene.
#pragma once

#include <array>
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

/// Of results of a collision at these sites, relative to the largest right value of each kind.
std::vector<Deviation> collision_deviations(const Case& one, int value_bytes, const std::vector<std::int64_t>& sites,
                                            std::span<const double> found);

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
