// The queue of runs that a plan still needs: their order, and which further ones its time allows.
#pragma once

#include "analysis/run/plan.hpp"
#include "analysis/run/schedule.hpp"

namespace boltzmark {

/// Whether it is done only if its configuration needs more rounds, or if there is time for it.
inline bool is_extra(const Job& job) { return job.if_time || job.key.round > job.repeats.at_least; }

/// First the unconditional jobs, round by round, each round shuffled; then, while there is time, further runs in the
/// order of the plan, each in as many rounds; then rounds that are still needed, one by one.
class RunQueue {
 public:
  /// The `open` ones of the plan's jobs are to be done. Jobs and store must outlive the queue; the store gets the runs
  /// that are left out for lack of time, and from the caller each run before the next one is asked for.
  RunQueue(const Plan& plan, const std::vector<Job>& jobs, const std::vector<Job>& open, Store& store);

  /// Null if none is left.
  const Job* next();
  void has_run(const Job& job, double wall_seconds) { ran_[job.key.configuration()] = {job.of, wall_seconds}; }

  /// Of the round's order.
  std::uint32_t seed_of(int round) const { return seed_ + static_cast<std::uint32_t>(round); }
  /// Of the job that next() returned last.
  bool begins_round() const;
  /// "[3/40, at most 60]", with that job.
  std::string count() const;
  /// ", about 40 s left in all", from that job on; "" before the first runs.
  std::string time_left() const;

 private:
  template <class Fits>
  void add_round(int round, Fits fits);
  void add_further();
  bool may_grow() const { return next_further_ < further_.size() || next_round_ <= last_round_; }
  double seconds_left() const;
  double expected_seconds(const Job& job) const;
  void leave_out(const Job& job);
  void keep_needed(std::vector<const Job*>& jobs) const;

  struct Ran {
    const Case* of;
    double seconds;
  };

  const std::vector<Job>&jobs_, &open_;
  const double within_seconds_;
  Store& store_;
  const std::uint32_t seed_;
  const int last_round_;
  std::vector<const Job*> queue_;    ///< those done, and those known to follow
  std::vector<const Job*> further_;  ///< the first rounds of what is done if there is time
  std::size_t done_ = 0;             ///< jobs that next() has returned
  std::size_t next_further_ = 0;
  int next_round_ = 1;              ///< in which to look for jobs still needed
  std::map<std::string, Ran> ran_;  ///< the last round of each configuration
};

}  // namespace boltzmark
