// A plain grid (kernels/plain.h), or rows of one, and the kernels that take it several steps on in a launch.
#pragma once

#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "opencl/lbm/block_plans.hpp"
#include "opencl/lbm/device_strip.hpp"
#include "opencl/runtime/step_sums.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// Chooses how the grid is cut; throws as blocks.hpp says.
using Planner = BlockPlan (*)(const ComputeDevice&, const LbmOptions&, const Parameters&);

/// A strip that is no ring needs a plan whose launches are of bands of rows.
template <class T>
class BlockStrip final : public DeviceStrip {
 public:
  /// launch_steps: where it is a strip, the steps that the planner will choose.
  BlockStrip(Planner planner, const ComputeDevice& device, const LbmOptions& options, int launch_steps = 0)
      : planner_(planner), device_(device), options_(options), launch_steps_(launch_steps) {}

  void init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) override;
  Session& session() override { return *session_; }
  int launch_steps() const override { return launch_steps_; }
  int sums_a_step() const override { return launch_sums_.back(); }
  void enqueue(const Launch& launch) override;
  void run(int steps, const std::function<void(int step, int count, int first_sum)>& enqueue_steps,
           std::span<double> av_vels) override;
  std::size_t halo_bytes(HaloDirection direction) const override;
  void enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state, void* host,
                    const std::vector<cl::Event>& after, cl::Event& done) override;
  void enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state, const void* host,
                     cl::Event& done) override;
  void collect(const Fields& fields) override;
  RunFacts facts() const override;

 private:
  int rows_with_halo() const { return window_.rows + 2 * window_.halo; }
  std::size_t row_cells() const { return static_cast<std::size_t>(problem_->parameters.nx); }
  std::size_t grid_cells() const { return row_cells() * static_cast<std::size_t>(rows_with_halo()); }
  /// Whether what is enqueued for a launch comes again: not where halo rows are exchanged in between.
  bool is_repeated() const {
    return !options_.has_single_launches && window_.halo == 0 && !plan_.is_persistent;
  }
  void plan_launches(const std::vector<Bands>& launches);
  void allocate();
  void set_up_kernels();
  void launch_first();
  void start();
  void confirm_waits();
  /// Where `count` rows from `row` on lie in a grid, the stretches of all populations.
  struct Stretches {
    std::array<std::size_t, 3> from, to, region;
    std::size_t pitch;
  };
  Stretches stretches(int row, int count) const;

  /// A launch of a step.
  struct Shape {
    int groups, chunk_rows;
  };

  Planner planner_;
  ComputeDevice device_;
  LbmOptions options_;
  int launch_steps_;
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  Window window_;
  BlockPlan plan_;
  std::vector<Bands> launches_;
  std::vector<Shape> shapes_;
  std::vector<int>
      launch_sums_;  ///< where the partial sums of each launch begin, and behind them their number
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> kernels_;  ///< from one grid to the other, and back
  cl::Kernel accelerate_start_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer solid_bits_, mailbox_, failures_;
  int state_ = 0;             ///< the newest grid
  int steps_per_launch_ = 1;  ///< of the longest launch so far
};

extern template class BlockStrip<float>;
extern template class BlockStrip<double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
