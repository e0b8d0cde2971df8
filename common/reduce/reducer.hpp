// Reduction: a long array is combined into one value, and every element is read once.
//
//     result = neutral element;
//     for (i = 0; i < elements; ++i) result = result (op) values[i];
#pragma once

#include "common/reduce/operators.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::reduce {

/// One model and variant.
class Reducer : public Implementation {
 public:
  /// Makes the array of the task's values, each written first by its worker.
  virtual void init(const Task& task) = 0;
  /// The timed part: the result, on the host.
  virtual Result reduce() = 0;
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

/// The program of the device API in use (device/program.cpp).
Program device_program();

}  // namespace boltzmark::reduce
