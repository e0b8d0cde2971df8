// The variants of heat on a device: which kernel, in which shape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/heat/plate.hpp"
#include "common/run/program.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace heat;

/// What a work-item updates, and who adds up the changes.
enum class Form {
  array,         ///< a cell, in two kernels; all changes are read by the host
  array_summed,  ///< the same, with a kernel for the sum
  column,        ///< a column; the host reads the changes of each
  cell,          ///< a cell
  strip,         ///< LANES columns of ROWS rows
  rows,          ///< ROWS rows
  steps,         ///< LANES columns of ROWS rows, TIME_BLOCK times
};

struct Way {
  const char* name;
  const char* summary;
  const std::string_view* source;
  Form form;
  std::vector<std::string> options;
  int row_axis = 1;        ///< of work-items: the axis that counts rows, of arrays
  bool is_delayed = true;  ///< deltas stay on the device for some steps
  bool has_tile = false;   ///< of a value per item and a border in local memory
  Role role = Role::other;

  bool is_array() const { return form == Form::array || form == Form::array_summed; }
};

const std::vector<Way>& all_ways();
const Way& way_named(const std::string& name);

/// --rows and --delay.
ModelOption rows_option();
ModelOption delay_option();

/// How a way is launched.
struct Plan {
  WorkGroup group;
  int lanes = 1;
  int rows = 1;          ///< of an item
  int rows_at_once = 1;  ///< of those, whose values are asked for together
  int time_block = 1;    ///< steps of a launch
  int delay = 1;         ///< steps between two looks at delta
  int columns = 1;       ///< work-items in a launch, before whole groups are made of them
  int items_down = 1;
  int lead = 32, pitch = 0;        ///< in values, of a row in memory
  double values_per_update = 2.0;  ///< moved to and from memory
  Reduction reduction = Reduction::halves;
  std::size_t scratch_values = 1;  ///< of a group, for its sum
};

/// Throws Error (bad_input) for options that do not fit together, Error (unavailable) for what the device lacks.
Plan plan_for(const Way& way, const ComputeDevice& device, const Plate& plate, const Options& options);

/// The fastest on such a device.
const char* default_way(DeviceType type);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
