// Reduction: a long array comes down to one value, and every element is read once.
//
//     result = neutral element;
//     for (i = 0; i < elements; ++i) result = result (op) values[i];
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/reduce/operators.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::reduce {

/// One model and variant. Where ranks share the array, every member is called by all of them.
class Reducer {
 public:
  virtual ~Reducer() = default;
  /// Before init: what there is where an array of so many bytes does not fit, in words like "21.3 GiB free in this
  /// machine"; "" when it fits.
  virtual std::string shortage(double bytes) = 0;
  /// Makes the array, of the task's values, each by whoever will use it.
  virtual void init(const Task& task) = 0;
  /// The timed part: what the array comes to, brought to the host.
  virtual Result reduce() = 0;
  /// Not timed: throws Error (unavailable) where the device did not do it.
  virtual void confirm() {}
  virtual RunFacts facts() const = 0;
};

using Variant = VariantOf<Reducer>;
int run_workload(int argc, char** argv, const ProgramOf<Variant>& program, Team& team);

}  // namespace boltzmark::reduce
