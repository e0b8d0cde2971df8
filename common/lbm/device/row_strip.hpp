// Rows of a grid in the layout of layout.h, and the kernels that walk along them a vector of cells at a time: shared by
// two-grid, in-place, wavefront, and in three dimensions time-block.
#pragma once

#include <array>
#include <vector>

#include "common/device/build.hpp"
#include "common/lbm/device/strip.hpp"

namespace boltzmark::lbm {

class RowStrip : public DeviceStrip {
 public:
  using DeviceStrip::enqueue;
  /// A step of the launch's layers, with the body force of the next step, if there is one.
  void enqueue(const StripLaunch& launch) override;
  void collect(const Fields& fields) override;

 protected:
  /// The kernels of a step, by the state that it starts from. In place there is one grid.
  struct Kernels {
    std::string_view source;
    std::array<const char*, 2> steps;
    int grids;
  };
  /// Throws Error (bad_input) for a work-group that the device cannot run, Error (unavailable) for a reduction that it
  /// cannot do.
  RowStrip(const Kernels& kernels, const device::ComputeDevice& device, const LbmOptions& options);

  void init_strip() override;
  void make_kernels() override;
  void launch_first() override;
  void start() override;
  void add_facts(RunFacts& facts) const override;
  std::vector<device::Region> halo_regions(HaloDirection direction, int layer) const override;

  virtual int choose_vvl() const;
  virtual WorkGroup choose_group() const;
  /// To be called after layout and work-group are chosen.
  virtual void plan() {}
  virtual device::KernelShape shape() const;
  /// If state 1 has another order than state 0: enqueues the kernel that restores it.
  virtual void enqueue_standard_order() {}

  device::Value relaxation() const;
  WorkGroup default_group() const;
  int items_in_row() const { return (layout_.vectors + vectors_per_item_ - 1) / vectors_per_item_; }
  device::Range global(int layers) const;

  Kernels kernels_;
  device::Reduction reduction_;
  int vvl_ = 1, vectors_per_item_ = 1;
  int driven_row_ = -1;
  Layout layout_ = {};
  WorkGroup group_;

 private:
  int choose_vectors_per_item() const;

  std::vector<int> launch_rows_;
  Walls walls_;
};

// Several time steps in one sweep over the layers of a grid that is updated in place: the variant wavefront.

/// One step of some layers.
struct SweepPart {
  int step = 0;  ///< of the sweep
  Bands bands = {};
  int layers_before = 0;  ///< that the sweep's earlier parts of this step have
};

/// The parts of a sweep in the order of their launches. A step of a layer needs the step before of that layer and of
/// both neighbours. So each block of layers is taken through all steps before the next block, and reaches back by one
/// layer with every step. The first block cannot, and becomes narrower instead; the last one takes the layers left out,
/// around the end of the ring. With 8 layers and 3 steps, and blocks of 2 behind a first one of 5, which block has a
/// layer:
///
///     layer     0 1 2 3 4 5 6 7
///     step 0    1 1 1 1 1 2 2 3
///     step 1    3 1 1 1 2 2 3 3
///     step 2    3 3 1 2 2 3 3 3
///
/// With too few layers there is a single block, of all layers in every step.
std::vector<SweepPart> sweep_parts(int layers, int steps, int block_layers);

/// Layers of a block: enough work for a launch.
int sweep_block_layers(const Parameters& parameters);

/// Steps of a sweep for which the layers in progress stay in the caches. layer_bytes: of populations.
int sweep_steps(double layer_bytes, int block_layers);

}  // namespace boltzmark::lbm
