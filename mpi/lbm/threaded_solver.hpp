// What the variants on processors have in common: a rank's strip divided over its threads, sums of speeds, and
// the record.
#pragma once

#include <functional>
#include <vector>

#include "common/cpu/worker_sums.hpp"
#include "mpi/lbm/rank_solver.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::mpi {

class ThreadedSolver : public RankSolver {
 public:
  /// halo: sendrecv, persistent or deep. Throws Error (unavailable) for threads that cannot be had.
  ThreadedSolver(const std::string& halo, std::optional<int> threads);

 protected:
  /// Divides the grid's layers over the ranks, and this rank's over its threads, by what they cost (row_costs).
  /// Throws Error (bad_input) when there are more ranks than layers.
  void partition(const lbm::Problem& problem, int vectors, const std::function<int(int x)>& vector_of);

  /// Threads that have layers.
  int workers() const { return static_cast<int>(starts_.size()) - 1; }
  /// Where the layers of each begin, and behind them their number.
  const std::vector<int>& starts() const { return starts_; }
  /// Of this rank's layers.
  const std::vector<std::int64_t>& costs() const { return costs_; }

  /// Calls work(begin, end) on every thread that has layers, with these.
  template <class Work>
  void on_workers(Work&& work) const {
    team_.run([&](int me) {
      if (me < workers()) work(starts_[me], starts_[me + 1]);
    });
  }

  /// Calls work(me, sums) on every thread that has layers; sums: a speed for each step, zero at first. On rank
  /// 0 av_vels becomes their sums over threads and ranks times `unit` over the number of fluid cells.
  template <class Work>
  void run_workers(int steps, std::span<double> av_vels, double unit, Work&& work) {
    WorkerSums sums(workers());
    team_.run([&](int me) {
      if (me < workers()) work(me, sums.start(me, steps));
    });
    sums.add_up(unit / fluid_cells(), av_vels);
    add_up_ranks(av_vels);
  }

  /// These facts, and those of the ranks and their threads.
  RunFacts with_ranks(RunFacts facts) const;

 private:
  openmp::ThreadTeam team_;
  std::vector<std::int64_t> costs_;
  std::vector<int> starts_;
};

}  // namespace boltzmark::mpi
