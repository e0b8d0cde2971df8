// Runs of grids on one device, for any kernels: a solver (GridRun), the push of moving walls (Walls), and layers of a
// grid (DeviceStrip): a whole grid as a solver, or the part on each rank's device (mpi/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/halo_strip.hpp"
#include "common/device/session.hpp"
#include "common/device/step_sums.hpp"
#include "common/lbm/device/grid_layout.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/traffic.hpp"

namespace boltzmark::lbm {
using device::HaloDirection, device::StripLaunch;

/// A solver whose grid is on one device: open, build, allocate, first launches, start state; then steps that leave a
/// sum each.
class GridRun : public Solver {
 public:
  device::Session& session() { return *session_; }
  void run(int steps, std::span<double> av_vels) override;
  RunFacts facts() const final;

 protected:
  GridRun(const device::ComputeDevice& device, const LbmOptions& options) : options_(options), device_(device) {}

  /// Prepares the run up to its first step. `buffers`: in addition to those of the sums. Throws Error as Session does.
  void prepare(std::string_view source, const device::KernelShape& shape, std::optional<device::StepSums> sums,
               const std::vector<device::BufferRequest>& buffers);

  /// Makes the kernels of module_ with their arguments.
  virtual void make_kernels() = 0;
  /// Enqueues every kernel once, on buffers of zeros, which the kernels do not change.
  virtual void launch_first() = 0;
  /// Enqueues the commands that make the start state.
  virtual void start() = 0;

  /// The timed steps; see StepSums::run.
  void run_steps(int steps, const device::StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels,
                 int most_pending = 4096);
  /// Enqueues this many steps as one launch, which leaves its partial sums from first_sum on. is_end: the last steps of
  /// the run.
  virtual void enqueue(int count, int first_sum, bool is_end) = 0;
  /// Facts of this solver for the record, in addition to the common ones.
  virtual void add_facts(RunFacts& facts) const = 0;

  const Parameters& grid() const { return problem_->parameters; }
  bool is_flat() const { return grid().dimension == 2; }
  device::Storage storage() const { return storage_of(options_); }  ///< of populations
  std::size_t stored_bytes() const { return bytes_of(storage()); }
  bool is_half() const { return options_.half_storage; }
  bool is_cpu() const { return device_.type == device::DeviceType::cpu; }
  /// Traffic of the whole grid, once.
  GridBytes grid_bytes_of_all() const {
    const int directions = is_flat() ? D2Q9::directions : D3Q19::directions;
    return {*problem_, directions * static_cast<double>(stored_bytes())};
  }
  std::size_t value_bytes() const { return static_cast<std::size_t>(boltzmark::bytes_of(options_.precision)); }

  /// For `groups` work-groups that exchange messages (kernels/mailbox.h) or wait for one another: run() then throws
  /// Error (unavailable) if one has timed out.
  std::vector<device::BufferRequest> exchange_buffers(std::size_t mailbox_words, int groups);
  /// For launches of many steps, in which groups exchange this many words per cell of the grid every `depth` steps.
  Traffic resident_traffic(double words, int depth) const {
    const double exchanges = sweeps_a_step(run_steps_, depth) - sweeps_a_step(run_steps_, steps_per_launch_);
    return resident_steps(grid_bytes_of_all(), run_steps_, steps_per_launch_, static_cast<double>(mailbox_bytes()),
                          sizeof(std::uint32_t) * words * exchanges);
  }
  bool has_timed_out() const;
  [[noreturn]] virtual void fail_by_timeout() const;
  std::size_t mailbox_bytes() const { return mailbox_words_ * sizeof(std::uint32_t); }

  LbmOptions options_;
  device::ComputeDevice device_;
  std::optional<device::Session> session_;
  std::optional<device::StepSums> sums_;
  device::Module module_;
  const Problem* problem_ = nullptr;
  int steps_per_launch_ = 1;
  int run_steps_ = 0;                    ///< of the last run
  std::array<device::Kernel, 2> steps_;  ///< from state 0 of the memory to state 1, and back
  device::Kernel accelerate_start_;
  std::array<device::Buffer, 2> grids_;  ///< the second grid, if steps alternate between two
  device::Buffer solid_bits_, mailbox_, failures_;
  int state_ = 0;  ///< the newest

 private:
  std::size_t mailbox_words_ = 0;
  int waiting_groups_ = 0;
};

/// `.make` of a variant that is one class.
template <class Class>
std::unique_ptr<Solver> on_device(const Problem& problem, const Options& asked) {
  return std::make_unique<Class>(device::device_for(asked), read_options(asked, problem.parameters.dimension));
}

/// Throws Error (unavailable) for moving walls, for a variant whose launches do several steps.
void expect_walls_that_stand(const Problem& problem, const std::string& variant);

/// The push of moving walls on the populations that leave them: a kernel after each step (kernels/walls.h), if there
/// are such walls.
class Walls {
 public:
  /// Index of population i of cell (x, y) of a plane of the device, halo planes counted, in a grid's buffer.
  using Place = std::function<std::size_t(int x, int y, int plane, int i)>;

  /// Does nothing without moving walls. The module has the kernel; grids: the grids left by steps with this number
  /// modulo 2. In place, steps with number 1 leave populations at their destination, in the slot of the opposite
  /// direction. `units`: those of the stored populations. In place the window is the whole grid.
  void set_up(device::Session& session, const device::Module& module, const Problem& problem, const Window& window,
              Precision precision, double units, const std::array<device::Buffer, 2>& grids, bool is_in_place,
              const Place& place);

  /// After a step of these layers that has left state 0 or 1; `done`, if given, becomes the event of the last of its
  /// launches, if there are any.
  void enqueue(const device::Queue& queue, int state, const Bands& bands, device::Event* done) const;

 private:
  device::Buffer momentum_;
  std::array<device::Buffer, 2> places_;
  std::array<device::Kernel, 2> push_;
  std::vector<int> first_;  ///< pushes of each layer, then their number; empty: no wall moves
};

class DeviceStrip : public GridRun, public device::HaloStrip {
 public:
  /// The whole grid, in launches of all layers.
  void init(const Problem& problem) final;
  /// Opens the device, builds the kernels and sets the start state, except that of halo rows. launches: those of a
  /// step, with the largest number of rows that each updates. Throws Error as Session does.
  void init(const Problem& problem, const Window& window, const std::vector<Bands>& launches);

  /// Time steps of a launch, and so the halo rows that it needs; known before init() if strips have halo rows.
  virtual int launch_steps() const { return 1; }
  device::Session& session() final { return GridRun::session(); }
  int sums_a_step() const final { return launch_sums_.back(); }
  void enqueue(const StripLaunch& launch) override = 0;
  void run_steps(int steps, const device::StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels) final {
    GridRun::run_steps(steps, enqueue_steps, av_vels);
  }

  void collect(State& state) final { collect(fields_of(state)); }
  /// Density and velocity of all its own cells after the run.
  virtual void collect(const Fields& fields) = 0;

 protected:
  using GridRun::GridRun;
  /// init() for problem_, window_ and launches_.
  virtual void init_strip() = 0;
  void enqueue(int count, int first_sum, bool is_end) final;
  /// The values crossing an end, in the grid: from `layer` on for as many layers as a halo has.
  virtual std::vector<device::Region> halo_regions(HaloDirection direction, int layer) const = 0;
  std::vector<device::Region> outgoing(HaloDirection direction) const final {
    return halo_regions(direction, direction == HaloDirection::northward ? window_.rows : window_.halo);
  }
  std::vector<device::Region> incoming(HaloDirection direction) const final {
    return halo_regions(direction, direction == HaloDirection::northward ? 0 : window_.halo + window_.rows);
  }
  const device::Buffer& memory_of(int state) const final { return grids_[state]; }
  const device::Buffer& grid_of(int state) const { return grids_[grids_[1] ? state : 0]; }
  /// Whether the launches of a step recur: not if halo rows are exchanged in between.
  bool is_repeated() const { return !options_.has_single_launches && window_.halo == 0; }
  const device::Queue& queue_of(const StripLaunch& launch) const {
    return launch.queue ? *launch.queue : session_->queue();
  }

  Window window_;
  std::vector<Bands> launches_;
  std::vector<int> launch_sums_;  ///< where the partial sums of each launch begin, and behind them their number
};

/// The variants that can be strips with halo rows. Both throw Error (bad_input) for options that the device cannot
/// accept, and Error (unavailable) for features that it lacks.
std::unique_ptr<DeviceStrip> two_grid_strip(const device::ComputeDevice& device, const LbmOptions& options);
std::unique_ptr<DeviceStrip> wavefront_strip(const device::ComputeDevice& device, const LbmOptions& options);

}  // namespace boltzmark::lbm
