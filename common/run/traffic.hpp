// The bytes that a run must move, by working set: the roofline compares runs with them. Source: hierarchical roofline,
// C. Yang, T. Kurth and S. Williams, "Hierarchical Roofline analysis for GPUs", 2020.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/run/json_fields.hpp"

namespace boltzmark {

/// Numbers of operations, per update or per second, that can bound a program before bytes and FLOPs do, by their names
/// in records and peaks.
using Operations = std::map<std::string, double>;

namespace operation {
inline constexpr const char* multiply_add = "multiply-add";  ///< FLOPs: fused, or multiplications and additions
inline constexpr const char* division = "division";
inline constexpr const char* root = "root";                                ///< 1 / sqrt(x)^3: attraction of two bodies
inline constexpr const char* wide_multiplication = "wide-multiplication";  ///< 32 x 32 bits, both halves of the product
inline constexpr const char* tensor = "tensor";  ///< FLOPs of tensor cores, in the format of their products
}  // namespace operation

/// The analysis places it in the smallest level of memory that holds it.
struct WorkingSet {
  std::string of;           ///< "data", "grids", "window", "panels"
  double bytes = 0.0;       ///< its size, of all workers together
  double per_update = 0.0;  ///< least bytes per update that cross the level holding it: read, written, and fetched
                            ///< by plain stores of lines that were not read before (write-allocate)
  bool on_chip = false;     ///< in registers or local memory of a device, which no measured roof bounds
};
BOLTZMARK_JSON(WorkingSet)

/// From the largest to the smallest; a run that passes over all its data in every step has one set.
using Traffic = std::vector<WorkingSet>;

}  // namespace boltzmark
