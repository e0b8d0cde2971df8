// Rows of a grid on a device, with halo rows at their ends that neighbours compute: what mpi/strip_run.hpp, which
// exchanges these while others are updated, needs of a workload. In three dimensions rows are planes. They are
// counted in the order of memory, those of the halo too; the southern end is where the first ones are.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "common/device/bands.h"
#include "common/device/session.hpp"
#include "common/device/step_sums.hpp"

namespace boltzmark::device {

inline int rows_in(const Bands& bands) { return bands.south_rows + bands.north_rows; }

/// One launch of the kernels.
struct StripLaunch {
  static constexpr int any = -1;
  /// Which of a step's launches: each has partial sums of its own. `any`: none of those that the strip was set up
  /// for, and the partial sums begin at first_sum; each row leaves as many.
  int number = 0;
  Bands bands = {};              ///< what it updates
  int source = 0;                ///< which of the two states in memory it starts from; it makes the other one
  int steps = 1;                 ///< at most those that a launch does
  int first_sum = 0;             ///< of the partial sums, for the first of these steps
  bool is_end = false;           ///< whether these are the last steps of the run
  const Queue* queue = nullptr;  ///< by default the session's own
  Events after = {};             ///< it waits for these
  Event* done = nullptr;         ///< becomes the launch's event
};

/// The way that values go over an end of the strip.
enum class HaloDirection { northward, southward };

class HaloStrip {
 public:
  /// What a neighbour's launches write to.
  struct Peer {
    int rows = 0;
    std::array<Buffer, 2> states = {};  ///< on another device
  };

  virtual ~HaloStrip() = default;

  /// Before it is set up: its launches shall send halo rows to the neighbours' devices and wait for theirs. False where
  /// they cannot.
  virtual bool let_launches_send() { return false; }
  /// Of a strip whose launches send, once it is set up: what the neighbours open; and theirs, which stay open until the
  /// last launch is done.
  virtual Peer as_peer() const { return {}; }
  virtual void connect(const Peer& /*south*/, const Peer& /*north*/) {}

  virtual Session& session() = 0;
  /// Partial sums that a step leaves.
  virtual int sums_a_step() const = 0;
  virtual void enqueue(const StripLaunch& launch) = 0;
  /// Time steps, as many at a call of `enqueue_steps` as lie between two exchanges, or fewer, and the sum of each.
  /// Returns when they are done. Throws Error (unavailable).
  virtual void run_steps(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> sums) = 0;

  /// Bytes that pass an end of the strip when halo rows are exchanged; the same for each strip of a grid.
  std::size_t halo_bytes(HaloDirection direction) const;
  /// Enqueues the read of what passes out of this state, when `after` is done, or the write of what has passed in to
  /// its halo rows. `host`, which in a queue between devices is memory of one, must stay until that is `done`.
  void start_read(const Queue& queue, HaloDirection direction, int state, void* host, Events after, Event& done) const;
  void start_write(const Queue& queue, HaloDirection direction, int state, const void* host, Event& done) const;

 protected:
  virtual const Buffer& memory_of(int state) const = 0;
  /// What passes an end that way, in that memory: out of the strip's own rows, and into its halo rows. One is enqueued
  /// after the other, the last is done last; on the other side they are packed.
  virtual std::vector<Region> outgoing(HaloDirection direction) const = 0;
  virtual std::vector<Region> incoming(HaloDirection direction) const = 0;
};

}  // namespace boltzmark::device
