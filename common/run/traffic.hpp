// The bytes that a run must move, by working set: the roofline compares runs with them. Source: hierarchical roofline,
// C. Yang, T. Kurth and S. Williams, "Hierarchical Roofline analysis for GPUs", 2020.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/run/json_fields.hpp"
#include "common/run/operations.hpp"

namespace boltzmark {

/// Numbers of operations, per update or per second, that can bound a program before bytes and FLOPs do, by their names
/// in records and peaks.
using Operations = std::map<std::string, double>;

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
