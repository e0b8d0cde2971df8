#include "common/lbm/device/grid_run.hpp"

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {

using namespace device;

void GridRun::run(int steps, std::span<double> av_vels) {
  run_steps(
      steps, static_cast<double>(problem_->fluid_cells()),
      [&](int step, int count, int first_sum) { enqueue(count, first_sum, step + count == steps); }, av_vels);
  if (!failures_) return;
  std::int32_t has_failed = 0;
  attempt("read whether all waits ended",
          [&] { session_->queue().read(failures_, 0, sizeof has_failed, &has_failed); });
  if (has_failed)
    throw unavailable(
        "persistent: a work-group timed out waiting for another one on {}: not all {} of them were resident "
        "at once, or the run is unstable; take another variant",
        device_.name, waiting_groups_);
}

RunFacts GridRun::facts() const {
  RunFacts facts = session_->facts({});
  if (sums_) facts.settings["delay"] = delay_text(options_.delay);
  const int directions = is_flat() ? D2Q9::directions : D3Q19::directions;
  facts.bytes_per_update = 2.0 * directions * static_cast<double>(value_bytes());
  facts.flops_per_update = is_flat() ? counted_cell_flops<D2Q9>() : counted_cell_flops<D3Q19>();
  facts.steps_per_launch = steps_per_launch_;
  add_facts(facts);
  return facts;
}

std::vector<BufferRequest> GridRun::exchange_buffers(std::size_t mailbox_words, int groups) {
  mailbox_words_ = mailbox_words;
  waiting_groups_ = groups;
  return {{&mailbox_, mailbox_bytes()}, {&failures_, sizeof(std::int32_t)}};
}

std::string delay_text(int delay) { return delay == INT_MAX ? "all" : std::to_string(delay); }

void expect_walls_that_stand(const Problem& problem, const std::string& variant) {
  if (!problem.moving.empty())
    throw bad_input("--variant: {}: walls that move need every step by itself; take two-grid or in-place", variant);
}

}  // namespace boltzmark::lbm
