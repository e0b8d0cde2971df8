// What the variants have in common: a strip of rows a rank, dealt to the rank's threads, sums of speeds, and
// the record.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cpu/thread_team.hpp"
#include "common/model.hpp"
#include "mpi/exchange.hpp"
#include "mpi/ranks.hpp"

namespace boltzmark::mpi {

class RankModel : public Model {
 public:
  /// halo: sendrecv, persistent or deep. Throws Error (unavailable) for threads that cannot be had.
  RankModel(const std::string& halo, std::optional<int> threads);

 protected:
  /// Deals the grid's rows to the ranks, and this rank's to its threads, by what they cost (row_costs).
  /// Throws Error (bad_input) when there are more ranks than rows.
  void deal(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of);

  const Ranks& ranks() const { return *ranks_; }
  /// How an exchange works; deep halos are exchanged by persistent requests.
  HaloMethod method() const { return halo_ == "sendrecv" ? HaloMethod::sendrecv : HaloMethod::persistent; }
  /// Threads that have rows.
  int workers() const { return static_cast<int>(starts_.size()) - 1; }
  /// Where the rows of each begin, and behind them the number of rows.
  const std::vector<int>& starts() const { return starts_; }
  /// Of this rank's rows.
  const std::vector<std::int64_t>& costs() const { return costs_; }

  /// Calls work(begin, end) on every thread that has rows, with these.
  template <class Work>
  void on_workers(Work&& work) const {
    team_.run([&](int me) {
      if (me < workers()) work(starts_[me], starts_[me + 1]);
    });
  }

  /// Calls work(me, sums) on every thread that has rows; sums: a speed for each step, zero at first. On rank
  /// 0 av_vels becomes their sums over threads and ranks times `unit` over the number of fluid cells.
  template <class Work>
  void run_workers(int steps, std::span<double> av_vels, double unit, Work&& work) {
    StepSums sums(workers());
    team_.run([&](int me) {
      if (me < workers()) work(me, sums.start(me, steps));
    });
    sums.add_up(unit / fluid_cells_, av_vels);
    ranks_->add_up(av_vels);
  }

  /// Takes the seconds that this rank spent in exchanges of halo rows into the record. Called by every rank.
  void report_halo(double seconds);

  /// The record's facts but for what only the variant knows.
  RunFacts common_facts(std::size_t value_bytes) const;

 private:
  std::string halo_;
  ThreadTeam team_;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  std::vector<std::int64_t> costs_;
  std::vector<int> starts_;
  double halo_seconds_ = 0.0, most_halo_seconds_ = 0.0;
};

}  // namespace boltzmark::mpi
