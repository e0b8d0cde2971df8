// Judging results: how far they are from the oracle's, what is conserved, and what theory says of a scene.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "common/binary_fluid/oracle.hpp"
#include "common/run/record.hpp"

namespace boltzmark::binary_fluid {

/// Of results of a collision at these sites, relative to the largest right value of each kind.
std::vector<Deviation> collision_deviations(const Case& one, Precision precision,
                                            const std::vector<std::int64_t>& sites, std::span<const double> found);

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
