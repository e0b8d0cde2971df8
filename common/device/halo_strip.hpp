// Rows of a grid on a device, with halo rows at the ends that neighbours compute: the interface of a workload to
// mpi/strip_run.hpp, which exchanges halo rows while other rows are updated. In three dimensions rows are planes. They
// are counted in the order of memory, halo rows included; the first ones are at the southern end.
#pragma once

#include <array>
#include <cstddef>
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
  /// The launch within a step; each has separate partial sums. `any`: not one of those for which the strip was set up;
  /// its partial sums begin at first_sum, and each row leaves as many.
  int number = 0;
  Bands bands = {};              ///< what it updates
  int source = 0;                ///< the state in memory, of two, from which it starts; it makes the other one
  int steps = 1;                 ///< at most the steps of a launch
  int first_sum = 0;             ///< of the partial sums, for the first of these steps
  bool is_end = false;           ///< whether these are the last steps of the run
  const Queue* queue = nullptr;  ///< by default the session's own
  Events after = {};             ///< events for which it waits
  Event* done = nullptr;         ///< becomes the launch's event
};

/// Direction in which values cross an end of the strip.
enum class HaloDirection { northward, southward };

class HaloStrip {
 public:
  /// Memory to which a neighbour's launches write.
  struct Peer {
    int rows = 0;
    std::array<Buffer, 2> states = {};  ///< on another device
  };

  virtual ~HaloStrip() = default;

  /// To be called before the setup: makes launches send halo rows to the neighbours' devices and wait for theirs. False
  /// if they cannot.
  virtual bool let_launches_send() { return false; }
  /// For a strip whose launches send, after the setup: memory that the neighbours open; and the neighbours' memory,
  /// which stays open until the last launch is done.
  virtual Peer as_peer() const { return {}; }
  virtual void connect(const Peer& /*south*/, const Peer& /*north*/) {}

  virtual Session& session() = 0;
  /// Partial sums that a step leaves.
  virtual int sums_a_step() const = 0;
  virtual void enqueue(const StripLaunch& launch) = 0;
  /// Time steps, at each call of `enqueue_steps` at most as many as between two exchanges, and the sum of each step.
  /// Returns when they are done. Throws Error (unavailable).
  virtual void run_steps(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> sums) = 0;

  /// Bytes that cross an end of the strip in an exchange; the same for each strip of a grid.
  std::size_t halo_bytes(HaloDirection direction) const {
    std::size_t bytes = 0;
    for (const Region& region : incoming(direction)) bytes += region.row_bytes * region.rows;
    return bytes;
  }
  /// Enqueues, after `after`, the read of the values leaving this state, or the write of the values received into its
  /// halo rows. `host` (device memory in a queue between devices) must stay valid until `done`.
  void start_read(const Queue& queue, HaloDirection direction, int state, void* host, Events after, Event& done) const {
    auto* to = static_cast<std::byte*>(host);
    for (const Region& region : outgoing(direction)) {
      queue->start_read(memory_of(state), region, to, after, &done);
      to += region.row_bytes * region.rows;
    }
  }
  void start_write(const Queue& queue, HaloDirection direction, int state, const void* host, Event& done) const {
    const auto* from = static_cast<const std::byte*>(host);
    for (const Region& region : incoming(direction)) {
      queue->start_write(memory_of(state), region, from, {}, &done);
      from += region.row_bytes * region.rows;
    }
  }

 protected:
  virtual const Buffer& memory_of(int state) const = 0;
  /// The pieces that cross an end in that direction, in that memory: out of the strip's own rows, and into its halo
  /// rows. They are enqueued in order, and the last is done last; on the other side they are packed.
  virtual std::vector<Region> outgoing(HaloDirection direction) const = 0;
  virtual std::vector<Region> incoming(HaloDirection direction) const = 0;
};

}  // namespace boltzmark::device
