// How the grid is cut for the kernel that does two steps in a launch in three dimensions (kernels/planes.cl).
#pragma once

#include <string>

#include "common/device/device.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

struct PlanePlan {
  int tile_x = 1, tile_y = 1;  ///< columns of a work-group
  int planes = 1;              ///< that it marches through
  int items = 1;               ///< of a work-group
  int stripe = 1;              ///< tiles along y that are done before the next planes
  int groups = 1;              ///< of a launch
  int resident_groups = 1;     ///< that a compute unit should hold at once

  std::string defines() const;
  std::string pieces() const;  ///< for the record
  std::string tile() const;    ///< as --work-group takes it
  /// Values read and written per update: a tile reads a ring of columns round it and a plane at either end.
  double values_per_update() const;
};

/// `--work-group XxYxZ` is the tile and its planes; with XxY the planes are chosen. is_half: populations are halves in
/// memory. Throws Error (bad_input) for a tile that the device cannot hold.
PlanePlan plan_planes(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid,
                      bool is_half);

}  // namespace boltzmark::lbm
