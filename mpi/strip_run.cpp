#include "mpi/strip_run.hpp"

#include <algorithm>
#include <utility>

namespace boltzmark::mpi {

StripRun::StripRun(HaloStrip& strip, const HaloPlan& plan) : strip_(strip), plan_(plan) {
  Session& session = strip_.session();
  ends_queue_ = plan_.is_overlapped() ? session.another_queue() : session.queue();
  if (plan_.halo > 0) clock_.emplace(session);
}

double StripRun::run(int state, int steps, std::span<double> sums) {
  state_ = state;
  steps_ = steps;
  ends_done_ = {};
  inside_done_ = {};
  if (plan_.halo > 0) attempt("send the first halo rows", [&] { send_ends(); });
  strip_.run_steps(
      steps,
      [this](int step, int count, int first_sum) {
        do_block({step, count, first_sum});
      },
      sums);
  if (plan_.halo == 0) return 0.0;
  return attempt("read the time that halo rows took", [&] { return clock_->take_seconds(); });
}

void StripRun::do_block(const Block& block) {
  inside_before_ = inside_done_;
  std::vector<Event> halo_rows;
  if (plan_.has_inside()) enqueue_inside(block);
  const bool is_received = plan_.halo > 0 && (!plan_.is_sent_by_launches || block.first_step == 0);
  if (is_received) {  // after the sending of the rows that the neighbours need
    clock_->begin(plan_.has_inside() ? inside_done_ : ends_done_);
    halo_rows = transfers_->receive(state_);
    clock_->end(halo_rows);
  }
  enqueue_ends(block, std::move(halo_rows));
  state_ = (state_ + launches_of(block)) % 2;
  if (plan_.halo > 0 && !plan_.is_sent_by_launches && block.first_step + block.steps < steps_) send_ends();
}

/// The inner rows of all steps of the block, which are updated while halo rows travel.
void StripRun::enqueue_inside(const Block& block) {
  // The second step overwrites the state from which the ends are read; from the third row on these are inner rows.
  const int launches = launches_of(block);
  for (int i = 0; i < launches; ++i) {
    StripLaunch launch = launch_of(block, i, plan_.inside);
    if (i == 1 && plan_.launches() > 2) launch.after = transfers_->sent();
    if (i == launches - 1) launch.done = &inside_done_;
    strip_.enqueue(launch);
  }
  strip_.session().queue()->flush();
}

/// All other rows; their first launch waits for `needed`.
void StripRun::enqueue_ends(const Block& block, std::vector<Event> needed) {
  // The first launches of a round of partial sums overwrite those of the round before, which are added up before these
  // inner rows.
  const Event& inside = block.first_sum == 0 ? inside_done_ : inside_before_;
  if (plan_.is_overlapped() && inside) needed.push_back(inside);
  const int launches = launches_of(block);
  for (int i = 0; i < launches; ++i) {
    StripLaunch launch = launch_of(block, i, plan_.ends);
    launch.number = plan_.has_inside() ? 1 : 0;
    launch.queue = &ends_queue_;
    if (i == 0) launch.after = needed;
    if (i == launches - 1 && plan_.halo > 0 && !plan_.is_sent_by_launches) launch.done = &ends_done_;
    strip_.enqueue(launch);
  }
  if (plan_.halo > 0) ends_queue_->flush();
  if (plan_.is_overlapped()) {  // the next inner rows come after them
    strip_.session().queue()->wait_for(Events(&ends_done_, 1));
  }
}

/// Enqueues the sending of the rows that the neighbours need next, after the last launch.
void StripRun::send_ends() {
  std::vector<Event> after;
  if (ends_done_) after.push_back(ends_done_);
  transfers_->send(state_, after);
}

/// Launch number i of a block; a block with fewer launches than the plan does the plan's last ones.
StripLaunch StripRun::launch_of(const Block& block, int i, const std::vector<Bands>& bands) const {
  const int step = i * plan_.launch_steps;
  StripLaunch launch;
  launch.bands = bands[static_cast<std::size_t>(plan_.launches() - launches_of(block) + i)];
  launch.source = (state_ + i) % 2;
  launch.steps = std::min(plan_.launch_steps, block.steps - step);
  launch.first_sum = block.first_sum + step * strip_.sums_a_step();
  launch.is_end = block.first_step + step + launch.steps == steps_;
  return launch;
}

}  // namespace boltzmark::mpi
