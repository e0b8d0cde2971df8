// A solver whose grid is on one device: open, build, allocate, first launches, start state; then steps that leave a sum
// each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/session.hpp"
#include "common/device/step_sums.hpp"
#include "common/lbm/device/grid_layout.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

class GridRun : public Solver {
 public:
  device::Session& session() { return *session_; }
  void run(int steps, std::span<double> av_vels) override;
  RunFacts facts() const final;

 protected:
  GridRun(const device::ComputeDevice& device, const LbmOptions& options) : options_(options), device_(device) {}

  /// Brings the run to where its first step can be launched. `buffers`: besides those of the sums. Throws Error as
  /// Session does.
  void prepare(std::string_view source, const device::KernelShape& shape, std::optional<device::StepSums> sums,
               const std::vector<device::BufferRequest>& buffers);

  /// Makes the kernels of module_ with their arguments.
  virtual void make_kernels() = 0;
  /// Enqueues every kernel once, on buffers of zeros, which they leave as they are.
  virtual void launch_first() = 0;
  /// Enqueues what makes the start state.
  virtual void start() = 0;

  /// The timed steps; see StepSums::run.
  void run_steps(int steps, const device::StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels,
                 int most_pending = 4096);
  /// Enqueues so many steps as one launch; they leave their partial sums from first_sum on. is_end: the run's last
  /// ones.
  virtual void enqueue(int count, int first_sum, bool is_end) = 0;
  /// What the record says of this solver, beyond what it says of each.
  virtual void add_facts(RunFacts& facts) const = 0;

  const Parameters& grid() const { return problem_->parameters; }
  bool is_flat() const { return grid().dimension == 2; }
  std::size_t value_bytes() const { return static_cast<std::size_t>(boltzmark::bytes_of(options_.precision)); }

  /// For `groups` work-groups that exchange messages (kernels/mailbox.h): run() then throws Error (unavailable) where
  /// one has timed out.
  std::vector<device::BufferRequest> exchange_buffers(std::size_t mailbox_words, int groups);
  std::size_t mailbox_bytes() const { return mailbox_words_ * sizeof(std::uint32_t); }

  LbmOptions options_;
  device::ComputeDevice device_;
  std::optional<device::Session> session_;
  std::optional<device::StepSums> sums_;
  device::Module module_;
  const Problem* problem_ = nullptr;
  int steps_per_launch_ = 1;
  std::array<device::Kernel, 2> steps_;  ///< from state 0 of the memory to state 1, and back
  device::Kernel accelerate_start_;
  std::array<device::Buffer, 2> grids_;  ///< the second one where a step goes from one to the other
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

/// Throws Error (unavailable) where walls move, for a variant whose launches are of several steps.
void expect_walls_that_stand(const Problem& problem, const std::string& variant);

}  // namespace boltzmark::lbm
