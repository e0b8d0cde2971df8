// A solver whose grid is on one device: what all of them do and say alike.
#pragma once

#include <string>

#include "common/device/device_run.hpp"
#include "common/lbm/device/grid_layout.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

class GridRun : public Solver, public device::DeviceRun {
 public:
  void run(int steps, std::span<double> av_vels) override;
  RunFacts facts() const final;

 protected:
  GridRun(const device::ComputeDevice& device, const LbmOptions& options)
      : DeviceRun(device, options), options_(options) {}

  /// Enqueues so many steps as one launch; they leave their partial sums from first_sum on. is_end: the run's last
  /// ones.
  virtual void enqueue(int count, int first_sum, bool is_end) = 0;
  /// What the record says of this solver, beyond what it says of each.
  virtual void add_facts(RunFacts& facts) const = 0;

  const Parameters& grid() const { return problem_->parameters; }
  bool is_flat() const { return grid().dimension == 2; }
  std::size_t value_bytes() const { return static_cast<std::size_t>(boltzmark::bytes_of(options_.precision)); }

  /// Throws Error (unavailable) where a work-group of a kernel that exchanges messages (kernels/mailbox.h) has timed
  /// out.
  void expect_waits_ended(const device::Buffer& failures, int groups) const;

  LbmOptions options_;
  const Problem* problem_ = nullptr;
  int steps_per_launch_ = 1;
};

/// `.make` of a variant that is one class.
template <class Class>
std::unique_ptr<Solver> on_device(const Problem& problem, const Options& asked) {
  return std::make_unique<Class>(device::device_for(asked), read_options(asked, problem.parameters.dimension));
}

/// "all" for INT_MAX.
std::string delay_text(int delay);

/// Throws Error (unavailable) where walls move, for a variant whose launches are of several steps.
void expect_walls_that_stand(const Problem& problem, const std::string& variant);

}  // namespace boltzmark::lbm
