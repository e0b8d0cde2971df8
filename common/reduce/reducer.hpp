// Reduction: the sum of a long array, of which every element is read once.
//
//     sum = 0;
//     for (i = 0; i < elements; ++i) sum += values[i];
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/run/program.hpp"

namespace boltzmark::reduce {

/// One model, variant and precision.
class Reducer {
 public:
  virtual ~Reducer() = default;
  /// Before init: what there is where an array of so many elements does not fit, in words like "21.3 GiB free in this
  /// machine"; "" when it fits.
  virtual std::string shortage(std::int64_t elements) = 0;
  /// Makes the array, of the values of value.h.
  virtual void init(std::int64_t elements) = 0;
  /// The timed part: the sum of the array, brought to the host.
  virtual double sum() = 0;
  virtual RunFacts facts() const = 0;
};

/// A model's program for this workload.
struct Program : boltzmark::Program {
  /// The variant that runs when none is named.
  std::function<std::string(const Options&)> default_variant;
  /// Makes the reducer for checked options. Throws Error (unavailable) where this machine cannot run it, Error
  /// (bad_input) for an option value that makes no sense.
  std::function<std::unique_ptr<Reducer>(const Options&)> make;
};

/// The main of a model's program. Returns its exit status.
int run_program(int argc, char** argv, const Program& program);

}  // namespace boltzmark::reduce
