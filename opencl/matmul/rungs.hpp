// The variants of matmul on a device: which kernel, in which shape, on matrices filled up to which sizes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/matmul/shape.hpp"
#include "common/run/program.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace matmul;

/// What a work-item computes.
enum class Form {
  element,  ///< of C
  row,      ///< of C
  block,    ///< an element, with blocks of A and B in local memory
  tile,     ///< TILE_ROWS x TILE_COLUMNS elements
  packed,   ///< many tiles, of A and B in strips
};

struct Rung {
  const char* name;
  const char* summary;
  const std::string_view* source;
  Form form;
  const char* defines = "";
  int row_axis = 0;             ///< of work-items: the axis that counts rows, for elements
  int buffers = 0;              ///< blocks of A and of B that a group has in local memory
  bool keeps_row = false;       ///< an item its row of A, in private memory
  bool keeps_column = false;    ///< a group a column of B, in local memory
  bool sums_in_memory = false;  ///< in C itself
  bool has_vectors = false;     ///< of 16 bytes
  bool has_slices = false;      ///< of a block's depth; and items in warps of 8 x 4 tiles
  Role role = Role::other;

  std::vector<std::string> options() const;
};

const std::vector<Rung>& all_rungs();
const Rung& rung_named(const std::string& name);

/// --tile, --block-depth and --slices.
std::vector<ModelOption> tile_options();

/// How a rung is launched.
struct Plan {
  WorkGroup group;  ///< z: slices of a block's depth
  int lanes = 1;
  int tile_rows = 1, tile_columns = 1;    ///< of an item
  int block_rows = 1, block_columns = 1;  ///< packed: strips of a group
  int block_depth = 1;
  Shape padded;               ///< sizes on the device
  int columns = 1, rows = 1;  ///< work-items in the launch, before whole groups are made of them
  double bytes_per_update = 0.0;

  /// Of a group in local memory.
  std::size_t local_bytes = 0;
};

/// Throws Error (bad_input) for options that do not fit together, Error (unavailable) for what the device lacks.
Plan plan_for(const Rung& rung, const ComputeDevice& device, const Shape& shape, const Options& options);

/// The fastest on such a device.
const char* default_rung(const ComputeDevice& device);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
