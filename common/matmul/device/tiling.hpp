// How matrices are multiplied on a device: in which shape a kernel is launched, on matrices filled up to which sizes.
#pragma once

#include <string>

#include "common/device/device.hpp"
#include "common/matmul/shape.hpp"

namespace boltzmark::matmul {

/// What is to be run, and where.
struct DeviceCase {
  const device::ComputeDevice& device;
  const Shape& shape;
  const Options& options;
};

struct Tiling {
  WorkGroup group;   ///< z: slices of a block's depth
  Shape padded;      ///< sizes on the device
  int row_axis = 0;  ///< of work-items: the axis that counts rows, for elements
  int lanes = 1;
  int tile_rows = 1, tile_columns = 1;    ///< of an item
  int block_rows = 1, block_columns = 1;  ///< packed: strips of a group
  int block_depth = 1;
  std::int64_t columns = 1, rows = 1;  ///< work-items in the launch, before whole groups are made of them
  double values_per_element = 0.0;     ///< of C, that go to and from global memory by the loops of the kernel
  std::string defines = "";            ///< more of them
  Settings settings = {};              ///< for the record
};

// Throw Error (bad_input) for options that do not fit together, Error (unavailable) for what the device lacks.
Tiling element_tiling(const DeviceCase& of);        ///< an element of C per work-item, its sum in a register
Tiling global_sum_tiling(const DeviceCase& of);     ///< the same, its sum in C itself
Tiling coalesced_tiling(const DeviceCase& of);      ///< the first with its axes exchanged
Tiling row_tiling(const DeviceCase& of);            ///< a row of C per item
Tiling private_row_tiling(const DeviceCase& of);    ///< the same, and that of A in private memory
Tiling local_column_tiling(const DeviceCase& of);   ///< the same, and a column of B in local memory
Tiling blocked_tiling(const DeviceCase& of);        ///< an element per item, blocks of A and B in local memory
Tiling register_tiling(const DeviceCase& of);       ///< the same, tile_rows x tile_columns elements per item
Tiling vector_tiling(const DeviceCase& of);         ///< the same, with vectors of 16 bytes
Tiling double_buffer_tiling(const DeviceCase& of);  ///< the same, two blocks of A and of B
Tiling warp_tiling(const DeviceCase& of);    ///< the same, items in warps of 8 x 4 tiles, and slices of a block's depth
Tiling packed_tiling(const DeviceCase& of);  ///< for processors: many tiles, of A and B in strips

}  // namespace boltzmark::matmul
