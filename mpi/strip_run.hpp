// Time steps of a strip on each rank's device of OpenCL or CUDA, for any workload.
//
// As many halo rows as a block has steps are exchanged before every block, and are updated, too, one fewer at either
// end with each step. On a device each step of a block is two launches: the inner rows, which need no halo row, and the
// rows at both ends, which do (drawn in common/device/halo_plan.hpp).
//
//   queue of the inside  ... inside(t+1) ............................ inside(t+2) ...................
//   queue of the ends    ends(t)                            ends(t+1)                          ends(t+2)
//   queue of transfers          read                 write           read                write
//   host                            MPI exchange                         MPI exchange
//
// `ends` waits for the halo rows and the inner rows of the step before, `inside` only for the step before, so the
// device works while rows travel: as drawn, from the device through pinned host memory, MPI and pinned memory to the
// device, where the host waits only for the small read and launches are always ahead of the device; or from device to
// device without the host (halo_transfers.hpp). The ends can fill the units that the last groups of the inner rows
// leave idle, which pays off for long launches; blocks of several launches are for short launches, and use one queue.
//
// If the strip's launches send halo rows themselves (HaloStrip::let_launches_send), a block is just one launch of all
// rows, and transfers are needed only for the first halo rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/device/halo_plan.hpp"
#include "common/device/halo_strip.hpp"
#include "mpi/halo_transfers.hpp"

namespace boltzmark::mpi {

class StripRun {
 public:
  /// The strip is set up for the plan, and must outlive it. Throws Error (unavailable).
  StripRun(HaloStrip& strip, const HaloPlan& plan);

  /// For plans with halo rows. Collective. Throws Error (unavailable).
  void connect(const HaloWay& way, const RankPair& ranks) { transfers_ = make_transfers(way, strip_, ranks); }

  /// Runs from this state in memory; returns, when the steps are done, the seconds that the device waited for halo
  /// rows. Collective. Throws Error (unavailable).
  double run(int state, int steps, std::span<double> sums);

 private:
  /// Steps between two exchanges.
  struct Block {
    int first_step, steps;  ///< in the run
    int first_sum;          ///< of the partial sums, for the first of them
  };

  void do_block(const Block& block);
  void enqueue_inside(const Block& block);
  void enqueue_ends(const Block& block, std::vector<Event> needed);
  void send_ends();
  int launches_of(const Block& block) const { return (block.steps + plan_.launch_steps - 1) / plan_.launch_steps; }
  StripLaunch launch_of(const Block& block, int i, const std::vector<Bands>& bands) const;

  HaloStrip& strip_;
  HaloPlan plan_;
  Queue ends_queue_;
  std::optional<HaloClock> clock_;
  std::unique_ptr<HaloTransfers> transfers_;
  // The run.
  int steps_ = 0;
  int state_ = 0;  ///< see StripLaunch::source
  Event inside_before_, inside_done_,
      ends_done_;  ///< the last launches of both kinds, and of the previous block
};

}  // namespace boltzmark::mpi
