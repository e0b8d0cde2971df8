// A plain grid (kernels/plain.h), or rows of one, and the kernels that advance it by several steps in a launch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/lbm/device/block_plans.hpp"
#include "common/lbm/device/strip.hpp"

namespace boltzmark::lbm {

/// Chooses the division of the grid; throws as stated in block_plans.hpp.
using Planner = BlockPlan (*)(const device::ComputeDevice&, const LbmOptions&, const Parameters&);

/// A strip that is no ring needs a plan whose launches are of bands of rows.
class BlockStrip final : public DeviceStrip {
 public:
  /// launch_steps: for a strip, the steps that the planner will choose.
  BlockStrip(Planner planner, const device::ComputeDevice& device, const LbmOptions& options, int launch_steps = 0)
      : DeviceStrip(device, options), planner_(planner), launch_steps_(launch_steps) {}

  int launch_steps() const override { return launch_steps_; }
  bool let_launches_send() override;
  Peer as_peer() const override { return sends_ ? Peer{window_.rows, grids_} : Peer{}; }
  void connect(const Peer& south, const Peer& north) override;
  void enqueue(const StripLaunch& launch) override;
  using DeviceStrip::collect;
  void collect(const Fields& fields) override;

 private:
  void init_strip() override;
  void make_kernels() override;
  void launch_first() override;
  void start() override;
  void add_facts(RunFacts& facts) const override;
  std::vector<device::Region> halo_regions(HaloDirection direction, int layer) const override;

  int rows_with_halo() const { return window_.rows + 2 * window_.halo; }
  std::size_t row_cells() const { return static_cast<std::size_t>(grid().nx); }
  std::size_t grid_cells(int rows) const { return row_cells() * static_cast<std::size_t>(rows + 2 * window_.halo); }
  std::size_t grid_cells() const { return grid_cells(window_.rows); }
  /// Values of a strip with this many rows, whole words. In state 0 the words of HaloPeers follow, if launches send.
  std::size_t grid_bytes(int rows) const { return (grid_cells(rows) * D2Q9::directions * stored_bytes() + 3) / 4 * 4; }
  void plan_launches();
  /// `count` rows from `row` on in a grid, of all populations.
  device::Region rows_of(int row, int count) const;

  /// A launch of a step.
  struct Shape {
    int groups, chunk_rows;
  };

  Planner planner_;
  int launch_steps_;
  BlockPlan plan_;
  std::vector<Shape> shapes_;
  bool sends_ = false;                           ///< launches send halo rows
  std::array<device::HaloPeers, 2> peers_ = {};  ///< by the state that a launch starts from
  std::uint32_t launches_sent_ = 0;
};

}  // namespace boltzmark::lbm
