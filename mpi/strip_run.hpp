// Time steps of a strip on each rank's device of OpenCL or CUDA, whatever the workload.
//
// Halo rows are exchanged before every block of steps, as many as the block has, and updated too, one fewer
// at either end with each step. On a device each step of a block is two launches: the rows inside, which need no halo
// row, and the rows at both ends, which do (common/device/halo_plan.hpp draws which).
//
//   queue of the inside  ... inside(t+1) ............................ inside(t+2) ...................
//   queue of the ends    ends(t)                            ends(t+1)                          ends(t+2)
//   queue of transfers          read                 write           read                write
//   host                            MPI exchange                         MPI exchange
//
// `ends` waits for the halo rows and the inside a step before, `inside` for nothing but the step before, so
// the device works while rows travel: as drawn from device to pinned memory of the host, MPI, pinned memory, device,
// where the host waits for the small read alone and launches are always ahead of the device; or from device to device,
// where the host has no part in it (halo_transfers.hpp). So the ends can fill the units that the last groups of the
// inside leave, which pays where a launch is long; blocks of several launches are for short ones, and there all go to
// one queue.
//
// Where the strip's launches send halo rows themselves (HaloStrip::let_launches_send), a block is one launch of all rows
// and nothing else: transfers bring the first halo rows alone.
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

  /// Where the plan has halo rows. Collective. Throws Error (unavailable).
  void connect(const HaloWay& way, const RankPair& ranks) { transfers_ = make_transfers(way, strip_, ranks); }

  /// From this state in memory on; returns when the steps are done: the seconds that the device waited for halo rows.
  /// Collective. Throws Error (unavailable).
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
      ends_done_;  ///< the last launches of either kind, and of the block before
};

}  // namespace boltzmark::mpi
