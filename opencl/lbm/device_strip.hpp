// Rows of a grid on one device, and the launches that take them through time: what a model needs of them that
// puts strips of rows on several devices, whatever the kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/lbm/solver.hpp"
#include "opencl/lbm/options.hpp"
#include "opencl/lbm/row_layout.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// One launch of the kernels.
struct Launch {
  static constexpr int any = -1;
  /// Which of a step's launches: each has partial sums of its own. `any`: none of those that the strip was set up
  /// for, and the partial sums begin at first_sum; each layer leaves as many.
  int number = 0;
  Bands bands = {};  ///< what it updates, in rows of the device, the first halo row being row 0
  int source =
      0;  ///< which of the two states in memory it starts from, 0 at first; the other one is what it makes
  int steps = 1;                                  ///< at most those that a launch does
  int first_sum = 0;                              ///< of the partial sums, for the first of these steps
  bool is_end = false;                            ///< whether these are the last steps of the run
  cl::CommandQueue* queue = nullptr;              ///< where it goes; by default the session's own
  const std::vector<cl::Event>* after = nullptr;  ///< it waits for these
  cl::Event* done = nullptr;                      ///< becomes the launch's event
};

/// The way that populations go over an end of the strip.
enum class HaloDirection { northward, southward };

class DeviceStrip {
 public:
  virtual ~DeviceStrip() = default;

  /// Opens the device, builds the kernels and sets the start state, but for that of halo rows. launches:
  /// those that a step has, with the most rows that each updates. Throws Error as Session does.
  virtual void init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) = 0;
  virtual Session& session() = 0;
  /// Time steps that a launch does, and so the halo rows that it needs.
  virtual int launch_steps() const = 0;
  /// Partial sums that a step leaves.
  virtual int sums_a_step() const = 0;

  virtual void enqueue(const Launch& launch) = 0;
  /// Runs time steps and sums |u|, see StepSums::run: as many steps at a call of `enqueue_steps` as there are
  /// halo rows, or fewer.
  virtual void run(int steps, const std::function<void(int step, int count, int first_sum)>& enqueue_steps,
                   std::span<double> av_vels) = 0;

  /// Bytes that pass an end of the strip when halo rows are exchanged.
  virtual std::size_t halo_bytes(HaloDirection direction) const = 0;
  /// Enqueues the read of what passes out of this state, when `after` is done, or the write of what has
  /// passed in to its halo rows. `host` must stay until that is `done`.
  virtual void enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state, void* host,
                            const std::vector<cl::Event>& after, cl::Event& done) = 0;
  virtual void enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state, const void* host,
                             cl::Event& done) = 0;

  /// Density and velocity of every cell of its own after the run.
  virtual void collect(const Fields& fields) = 0;
  virtual RunFacts facts() const = 0;
};

/// The strip of the variant of this name, two-grid or time-block; nothing for others. Throws Error as their
/// makers do.
std::unique_ptr<DeviceStrip> make_strip(const std::string& variant, const ComputeDevice& device,
                                        const LbmOptions& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
