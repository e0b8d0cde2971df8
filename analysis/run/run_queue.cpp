#include "analysis/run/run_queue.hpp"

#include <algorithm>
#include <random>

#include "analysis/roofline/words.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/support/terminal.hpp"

namespace boltzmark {

RunQueue::RunQueue(const Plan& plan, const std::vector<Job>& jobs, const std::vector<Job>& open, Store& store)
    : jobs_(jobs),
      open_(open),
      within_seconds_(plan.within_seconds.value_or(1e300)),
      store_(store),
      seed_(std::random_device()()),
      last_round_(open.empty() ? 0 : open.back().key.round) {
  for (int round = 1; round <= last_round_; ++round) add_round(round, [](const Job& job) { return !is_extra(job); });
  for (const Job& job : open_)
    if (job.if_time && job.key.round == 1) further_.push_back(&job);
}

const Job* RunQueue::next() {
  while (done_ == queue_.size() && next_further_ < further_.size()) add_further();
  while (done_ == queue_.size() && next_round_ <= last_round_)
    add_round(next_round_++, [](const Job& job) { return job.key.round > job.repeats.at_least; });
  return done_ == queue_.size() ? nullptr : queue_[done_++];
}

bool RunQueue::begins_round() const {
  return done_ == 1 || queue_[done_ - 1]->key.round != queue_[done_ - 2]->key.round;
}

std::string RunQueue::count() const {
  const bool is_open_ended = queue_.size() < open_.size() && may_grow();
  return fmt::format("[{}/{}{}]", done_, queue_.size(), is_open_ended ? fmt::format(", at most {}", open_.size()) : "");
}

std::string RunQueue::time_left() const {
  constexpr int least_known = 5;
  const std::size_t from = done_ - 1;
  int known = 0;
  double seconds = 0.0;
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    if (queue_[k]->predetermined) continue;
    known += k < from;
    if (k >= from) seconds += expected_seconds(*queue_[k]);
  }
  return known < least_known ? "" : fmt::format(", about {} left in all", duration(seconds));
}

template <class Fits>
void RunQueue::add_round(int round, Fits fits) {
  std::vector<const Job*> of_round;
  for (const Job& job : open_)
    if (job.key.round == round && fits(job)) of_round.push_back(&job);
  if (!of_round.empty() && is_extra(*of_round.front())) keep_needed(of_round);
  shuffle(of_round, seed_of(round));
  queue_.insert(queue_.end(), of_round.begin(), of_round.end());
}

/// The unconditional rounds of the next further run, if there is time for them.
void RunQueue::add_further() {
  const Job& first = *further_[next_further_++];
  if (!first.predetermined && expected_seconds(first) * first.repeats.at_least > seconds_left())
    return leave_out(first);
  for (const Job& job : open_)
    if (job.key.configuration() == first.key.configuration() && job.key.round <= job.repeats.at_least)
      queue_.push_back(&job);
}

/// The rest of the plan's time.
double RunQueue::seconds_left() const {
  double seconds = within_seconds_;
  for (const Job& job : jobs_)
    if (const RunEntry* const entry = store_.find(job.key)) seconds -= entry->wall_seconds;
  return seconds;
}

/// For a job that has not run yet, the mean of the finished jobs of its case, or of all finished ones.
double RunQueue::expected_seconds(const Job& job) const {
  if (const auto known = ran_.find(job.key.configuration()); known != ran_.end()) return known->second.seconds;
  double of_case = 0.0, of_all = 0.0;
  int in_case = 0;
  for (const auto& [configuration, ran] : ran_) {
    of_all += ran.seconds;
    of_case += ran.of == job.of ? ran.seconds : 0.0;
    in_case += ran.of == job.of;
  }
  return in_case > 0 ? of_case / in_case : of_all / std::max(1.0, static_cast<double>(ran_.size()));
}

void RunQueue::leave_out(const Job& job) {
  RunEntry entry = new_entry(job);
  entry.status = RunStatus::skipped;
  entry.reason = "the plan's time was used up";
  store_.add(entry);
}

/// Keeps the jobs whose configuration's interval is too wide, the widest ones as far as there is time.
void RunQueue::keep_needed(std::vector<const Job*>& jobs) const {
  std::map<std::string, std::vector<const RunEntry*>> rounds;
  for (const Job& job : jobs_)
    if (const RunEntry* const entry = store_.find(job.key)) rounds[job.key.configuration()].push_back(entry);
  std::map<const Job*, double> width;
  for (const Job* const job : jobs) width[job] = width_of(rounds[job->key.configuration()]);
  std::erase_if(jobs, [&](const Job* job) {
    const bool is_narrow = !(width[job] > job->repeats.until.value_or(0.0));
    return std::ssize(rounds[job->key.configuration()]) < std::max(1, job->key.round - 1) ||
           (is_narrow && job->key.round > job->repeats.at_least);
  });
  std::ranges::stable_sort(jobs, [&](const Job* a, const Job* b) { return width[a] > width[b]; });
  double left = seconds_left();
  std::erase_if(jobs, [&](const Job* job) {
    const double more = rounds[job->key.configuration()].back()->wall_seconds;
    const bool fits = more <= left;
    if (fits) left -= more;
    return !fits;
  });
}

}  // namespace boltzmark
