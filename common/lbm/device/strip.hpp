// Layers of a grid on one device, and the launches that take them through time: a whole grid as a solver, or what mpi/
// has on each rank's device, whatever the kernels.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/lbm/device/grid_run.hpp"

namespace boltzmark::lbm {

/// One launch of the kernels.
struct StripLaunch {
  static constexpr int any = -1;
  /// Which of a step's launches: each has partial sums of its own. `any`: none of those that the strip was set up
  /// for, and the partial sums begin at first_sum; each layer leaves as many.
  int number = 0;
  Bands bands = {};     ///< what it updates, in rows of the device, the first halo row being row 0
  int source = 0;       ///< which of the two states in memory it starts from, 0 at first; it makes the other one
  int steps = 1;        ///< at most those that a launch does
  int first_sum = 0;    ///< of the partial sums, for the first of these steps
  bool is_end = false;  ///< whether these are the last steps of the run
  const device::Queue* queue = nullptr;  ///< by default the session's own
  device::Events after = {};             ///< it waits for these
  device::Event* done = nullptr;         ///< becomes the launch's event
};

/// The way that populations go over an end of the strip.
enum class HaloDirection { northward, southward };

class DeviceStrip : public GridRun {
 public:
  /// The whole grid, in launches of all layers.
  void init(const Problem& problem) final;
  /// Opens the device, builds the kernels and sets the start state, but for that of halo rows. launches:
  /// those that a step has, with the most rows that each updates. Throws Error as Session does.
  void init(const Problem& problem, const Window& window, const std::vector<Bands>& launches);

  /// Time steps that a launch does, and so the halo rows that it needs; known before init() where strips have halo
  /// rows.
  virtual int launch_steps() const { return 1; }
  /// Partial sums that a step leaves.
  int sums_a_step() const { return launch_sums_.back(); }

  using GridRun::run;
  /// As many steps at a call of `enqueue_steps` as there are halo rows, or fewer.
  void run(int steps, const device::StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels);
  virtual void enqueue(const StripLaunch& launch) = 0;

  /// Bytes that pass an end of the strip when halo rows are exchanged.
  std::size_t halo_bytes(HaloDirection direction) const;
  /// Enqueues the read of what passes out of this state, when `after` is done, or the write of what has
  /// passed in to its halo rows. `host` must stay until that is `done`.
  void start_read(const device::Queue& queue, HaloDirection direction, int state, void* host, device::Events after,
                  device::Event& done) const;
  void start_write(const device::Queue& queue, HaloDirection direction, int state, const void* host,
                   device::Event& done) const;

  void collect(State& state) final { collect(fields_of(state)); }
  /// Density and velocity of every cell of its own after the run.
  virtual void collect(const Fields& fields) = 0;

 protected:
  using GridRun::GridRun;
  /// init() for problem_, window_ and launches_.
  virtual void init_strip() = 0;
  void enqueue(int count, int first_sum, bool is_end) final;
  /// What passes an end, in the grid: from `layer` on for as many layers as a halo has. One is enqueued after the
  /// other, the last is done last; on the other side they are packed.
  virtual std::vector<device::Region> halo_regions(HaloDirection direction, int layer) const = 0;
  const device::Buffer& grid_of(int state) const { return grids_[grids_[1] ? state : 0]; }
  /// Whether the launches of a step are the same ones again later: not where halo rows are exchanged in between.
  bool is_repeated() const { return !options_.has_single_launches && window_.halo == 0; }
  const device::Queue& queue_of(const StripLaunch& launch) const {
    return launch.queue ? *launch.queue : session_->queue();
  }

  Window window_;
  std::vector<Bands> launches_;
  std::vector<int> launch_sums_;  ///< where the partial sums of each launch begin, and behind them their number
};

/// The variants that can be strips with halo rows. Both throw Error (bad_input) for options that the device cannot
/// take, Error (unavailable) for what it lacks.
std::unique_ptr<DeviceStrip> two_grid_strip(const device::ComputeDevice& device, const LbmOptions& options);
std::unique_ptr<DeviceStrip> wavefront_strip(const device::ComputeDevice& device, const LbmOptions& options);

}  // namespace boltzmark::lbm
