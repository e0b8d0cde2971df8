// What is right: the textbook in double precision, slow and never optimised.
#pragma once

#include <array>
#include <vector>

#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/textbook.hpp"

namespace boltzmark::binary_fluid {

class Oracle {
 public:
  explicit Oracle(const Case& one);

  /// What comes out of the collision of a site, as Fluid::read has it, from inputs that were rounded to this precision.
  std::array<double, collision_values> collided(std::int64_t site, Precision precision) const;

  /// All interior sites after the steps of a simulation.
  std::vector<Seen> simulated() const;

 private:
  Case case_;
  textbook::Constants<double> constants_;
};

}  // namespace boltzmark::binary_fluid
