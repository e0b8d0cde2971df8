// The bytes that a run must move, by the data that it goes through again and again: what the roofline holds it against.
// Source: hierarchical roofline, C. Yang, T. Kurth and S. Williams, "Hierarchical Roofline analysis for GPUs", 2020.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/run/json_fields.hpp"

namespace boltzmark {

/// Numbers of operations that can bound a program before bytes and FLOPs do, of an update or a second, by the names that
/// records and peaks have.
using Operations = std::map<std::string, double>;

namespace operation {
inline constexpr const char* multiply_add = "multiply-add";  ///< FLOPs: fused, or multiplications and additions
inline constexpr const char* division = "division";
inline constexpr const char* root = "root";                                ///< 1 / sqrt(x)^3: attraction of two bodies
inline constexpr const char* wide_multiplication = "wide-multiplication";  ///< 32 x 32 bits, both halves of the product
inline constexpr const char* tensor = "tensor";  ///< FLOPs by tensor cores, in the formats that they multiply
}  // namespace operation

/// The analysis places it in the smallest level of memory that holds it.
struct WorkingSet {
  std::string of;      ///< "data", "grids", "window", "panels"
  double bytes = 0.0;  ///< its size, of all workers together
  double per_update =
      0.0;               ///< bytes an update that at least cross the level which holds it: read, written, and fetched
                         ///< by plain stores of lines that were not read before (write-allocate)
  bool on_chip = false;  ///< in registers or local memory of a device, which no measured roof bounds
};
BOLTZMARK_JSON(WorkingSet)

/// From the largest to the smallest; a run that goes through all its data in every step has one.
using Traffic = std::vector<WorkingSet>;

}  // namespace boltzmark
