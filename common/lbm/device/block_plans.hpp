// Division of the grid into pieces for the variants that do several steps in a launch, and parameters of their kernels.
#pragma once

#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// A kernel that advances a grid by several steps, and its launch; in two dimensions a plain grid (kernels/plain.h).
struct BlockPlan {
  std::string_view source;
  const char* kernel = "";
  std::string defines;            ///< for the compiler, without the grid's size
  int items = 1;                  ///< work-items of a group
  int groups = 1;                 ///< of a launch
  int sums_a_step = 1;            ///< partial sums that a step leaves
  int depth = 1;                  ///< steps between two exchanges
  bool is_persistent = false;     ///< a launch does any number of steps, and its groups exchange messages
  std::size_t mailbox_words = 0;  ///< for that
  std::string pieces = "";        ///< for the record: "16x8 tiles"
  double read_again = 0.0;        ///< share of the grid's cells read again by a launch: those around its pieces
  double cells_at_work = 0.0;     ///< bytes of all pieces at once, with those around them
  double words_crossing = 0.0;    ///< for each cell of the grid: posted and fetched in an exchange
  int most_registers = 0;         ///< of a work-item, see KernelShape
  int vvl = 1;                    ///< cells that an item updates at once
  int strips = 0;                 ///< of columns, where launches are of bands of rows; 0: they are of the whole grid
  int warps_a_unit = 0;           ///< that fit in registers, if there are strips
};

inline constexpr int warp = 32;            ///< work-items
inline constexpr int max_polls = 1 << 21;  ///< of a message, before a wait times out

/// Steps of a launch that --time-block accepts.
inline constexpr int most_launch_steps = 16;

/// Rows of a chunk that a warp owns if a launch of the plan's strips has this many rows.
int chunk_rows(const device::ComputeDevice& device, const BlockPlan& plan, int rows);

/// The steps of a launch: --time-block, or a default. All three throw Error (unavailable) with the reason if the device
/// or grid does not allow it, Error (bad_input) for options that do not fit.
///
/// Tiles in local memory, a launch for every few steps: any device.
BlockPlan plan_tiles(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// Tiles in local memory, all resident at once.
BlockPlan plan_resident_tiles(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// Tiles in registers, all resident at once: devices with warps.
BlockPlan plan_warp_tiles(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// Local memory and registers of all units together, all resident at once: devices with warps.
BlockPlan plan_on_chip(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// The best of these three for device and grid: tiles if they fit.
BlockPlan plan_persistent(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// A wavefront in registers: devices with warps. Four steps per launch, with doubles two.
BlockPlan plan_wavefront(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);
constexpr int usual_wavefront_steps(Precision precision) { return precision == Precision::f64 ? 2 : 4; }
/// Whether it is faster than one step per launch on a device's part of the grid: not with doubles on small grids.
constexpr bool wavefront_pays(std::int64_t cells, Precision precision) {
  return precision == Precision::f32 || cells > 170'000;
}

/// Plan of the kernel that does two steps in a launch in three dimensions (kernels/planes.cl).
struct PlanePlan {
  int tile_x = 1, tile_y = 1;  ///< columns of a work-group
  int planes = 1;              ///< that it marches through
  int items = 1;               ///< of a work-group
  int stripe = 1;              ///< tiles along y that are done before the next planes
  int groups = 1;              ///< of a launch
  int resident_groups = 1;     ///< that a compute unit should hold at once

  std::string defines() const;
  /// The share of the cells that are read again: a tile also reads the ring of columns around it and a plane at either
  /// end.
  double read_again() const;
};

/// `--work-group XxYxZ` is the tile and its planes; with XxY the planes are chosen. is_half: populations are halves in
/// memory. Throws Error (bad_input) for a tile that the device cannot hold.
PlanePlan plan_planes(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid,
                      bool is_half);

/// Bricks of rows in local memory, all resident at once, in three dimensions (kernels/bricks.cl); is_half: of halves.
/// Throws Error (unavailable) if the grid does not fit in the device's local memories.
BlockPlan plan_bricks(const device::ComputeDevice& device, const Parameters& grid, bool is_half);

}  // namespace boltzmark::lbm
