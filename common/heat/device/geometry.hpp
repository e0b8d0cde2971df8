// Launches of the kernels of the heat equation on a device: one function for each of opencl/heat/kernels.
#pragma once

#include "common/device/build.hpp"
#include "common/device/device.hpp"
#include "common/heat/plate.hpp"

namespace boltzmark::heat {

/// The run and its device.
struct DeviceCase {
  const device::ComputeDevice& device;
  const Plate& plate;
  const Options& options;
  int ends = 0;  ///< of the plate, launched separately: a few rows each
};

struct Geometry {
  WorkGroup group;
  int vvl = 1;
  int rows = 1;          ///< of a work-item
  int rows_at_once = 1;  ///< of those, whose values are loaded together
  int time_block = 1;    ///< steps of a launch
  int tiles = 1;         ///< of rows, with gaps between them
  int delay = 1;         ///< steps between two checks of delta
  int columns = 1;       ///< work-items in a launch, before rounding up to whole groups
  int items_down = 1;
  int row_axis = 1;                ///< of work-items: the axis that counts rows
  int lead = 32, pitch = 0;        ///< in values, of a row in memory
  double values_per_update = 2.0;  ///< moved to and from memory
  double values_fetched = 1.0;     ///< fetched by a processor, because they are written without having been read
  device::Reduction reduction = device::Reduction::halves;
  std::int64_t scratch_values = 1;  ///< of a group, for its sum
  std::int64_t changes = 0;  ///< left by a launch for the host or another kernel to add up; 0: groups add them up
  Settings settings = {};    ///< for the record

  /// Work-items in whole groups.
  device::Range items() const { return {device::round_up(columns, group.x), device::round_up(items_down, group.y)}; }
};

// They throw Error (bad_input) for options that do not fit together, Error (unavailable) for features that the device
// lacks.
Geometry array_geometry(const DeviceCase& of);      ///< a cell per item, neighbours a row apart
Geometry coalesced_geometry(const DeviceCase& of);  ///< the same, with contiguous neighbours
Geometry column_geometry(const DeviceCase& of);     ///< a column per item
Geometry cell_geometry(const DeviceCase& of);       ///< a cell per item, one step between two checks
Geometry delayed_geometry(const DeviceCase& of);    ///< the same, many
Geometry tile_geometry(const DeviceCase& of);       ///< the same, in local memory
Geometry strip_geometry(const DeviceCase& of);      ///< `vvl` columns of `rows` rows
Geometry row_geometry(const DeviceCase& of);        ///< `rows` rows, a group is an item
Geometry tiling_geometry(const DeviceCase& of);     ///< tiles of rows, a group is an item, `time_block` times
Geometry block_geometry(const DeviceCase& of);      ///< `vvl` columns of `rows` rows, `time_block` times

}  // namespace boltzmark::heat
