// The host's side of a run whose grids are allocated on the device: layout, allocation, check and collection. A variant
// adds its steps, in target regions.
#pragma once

#include "common/lbm/counting.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/traffic.hpp"
#include "openmp_target/lbm/layouts.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {

/// `facts` of a device with those of a run with `grids` of populations of type T. FLOPs are those of cell.h.
template <class T, class L>
RunFacts with_grids(RunFacts facts, int grids) {
  facts.grids = grids;
  facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
  if (grids == 2) facts.fetched_per_update = 0.5 * facts.bytes_per_update;
  facts.flops_per_update = lbm::counted_cell_flops<L>();
  return facts;
}

/// Throws Error (unavailable) if a device lacks `bytes` for this many grids.
void require_memory_on(const OffloadDevice& device, int grids, double bytes);

/// One grid updated in place, or two grids, in the layout `Places` (layouts.hpp), and the sums of steps.
template <class T, class L, template <class, class> class Places>
class GridSolver : public OnDevice<lbm::Solver> {
 public:
  void init(const lbm::Problem& problem) override;
  void run(int steps, std::span<double> av_vels) override;
  void collect(lbm::State& state) override;
  RunFacts facts() const override;

 protected:
  GridSolver(const Options& options, int grids) : OnDevice(options), grid_count_(grids) {}

  /// Launch of regions, by default with a thread for every cell on a GPU.
  virtual RegionLaunch plan_launch() const { return launch_for(device_, asked_threads_, problem_->cells()); }
  /// Makes a variant's own data, after everything here is made.
  virtual void prepare(const std::vector<std::uint8_t>& /*solid*/) {}
  /// Time steps first .. end-1; `last`: no body force after them. Their sums go to slot 0 and on.
  virtual void advance(int first, int end, bool last) = 0;
  /// Number of steps before their sums are added up, and the largest number of steps in one region.
  virtual int most_steps() const { return 2048; }
  virtual bool is_one_region() const { return false; }
  /// Steps that threads do on their rows at a time, while these are in a cache or in registers.
  virtual int sweep_steps() const { return 1; }

  T* grid(int number) const { return grids_.data() + number * layout_.values(); }
  int lanes() const { return device_.properties.lanes<Arithmetic<T>>(); }
  int driven_row() const { return problem_->parameters.driven_row(); }
  int steps_done() const { return steps_done_; }
  lbm::GridBytes grid_bytes() const { return {*problem_, L::directions * sizeof(T)}; }

  const lbm::Problem* problem_ = nullptr;
  Places<T, L> layout_;
  lbm::Relaxation<Arithmetic<T>, L> relaxation_;
  DeviceArray<std::uint32_t> solid_;  ///< solid_words() of the layout
  WallGains<T> walls_;
  StepSums sums_;
  DeviceArray<T> grids_;
  int now_ = 0;  ///< the grid that has the newest state

 private:
  std::vector<WallGain<T>> wall_gains(bool streamed) const;
  void set_start_state(const std::vector<std::uint8_t>& solid);
  /// Whether populations have already moved: each is at the neighbour in its direction, in the slot of the opposite
  /// one.
  bool is_streamed() const { return grid_count_ == 1 && steps_done_ % 2 != 0; }

  int grid_count_, steps_done_ = 0;
};

/// time-block in three dimensions on an NVIDIA GPU (planes.cpp). Throws Error (bad_input) for moving walls.
std::unique_ptr<lbm::Solver> make_plane_steps(const lbm::Problem& problem, const Options& asked);

/// Error (unavailable) for a region in which one team waited in vain for another.
Error teams_timed_out(const OffloadDevice& device, const RegionLaunch& launch);

/// persistent on an NVIDIA GPU whose registers hold the whole grid (tiles.cpp): D2Q9, in single precision, with its own
/// choice of teams. Null if they do not, or if other options are requested.
std::unique_ptr<lbm::Solver> make_tiles(const lbm::Problem& problem, const Options& asked);

/// persistent on a processor, and in-place (`one_by_one`: a region for every step); see processor.cpp.
template <class L>
std::unique_ptr<lbm::Solver> make_on_processor(const Options& asked, bool one_by_one);
inline std::unique_ptr<lbm::Solver> make_on_processor(const lbm::Problem& problem, const Options& asked,
                                                      bool one_by_one) {
  return problem.parameters.dimension == 2 ? make_on_processor<lbm::D2Q9>(asked, one_by_one)
                                           : make_on_processor<lbm::D3Q19>(asked, one_by_one);
}

}  // namespace boltzmark::openmp_target
