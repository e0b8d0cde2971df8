#include "common/lbm/device/grid_run.hpp"

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {

using namespace device;

void GridRun::prepare(std::string_view source, const KernelShape& shape, std::optional<StepSums> sums,
                      const std::vector<BufferRequest>& buffers) {
  session_.emplace(device_, options_);
  module_ = session_->build(source, shape);
  sums_ = std::move(sums);
  auto requests = sums_ ? sums_->buffers() : std::vector<BufferRequest>{};
  requests.insert(requests.end(), buffers.begin(), buffers.end());
  session_->allocate(requests);
  attempt("set up the kernels", [&] {
    make_kernels();
    if (sums_) sums_->set_up(module_, device_);
  });
  session_->first_launches(shape.group, [&] {
    launch_first();
    if (sums_) sums_->enqueue_sums(session_->queue(), 0, 1);
  });
  // The sums of steps alone: groups of some kernels leave their partial sums as they are, zeros.
  if (sums_) session_->spoil({sums_->buffers().back()});
  session_->upload([&] { start(); });
}

void GridRun::run_steps(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels,
                        int most_pending) {
  attempt("run the time steps", [&] {
    sums_->run(session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending, enqueue_steps,
               av_vels);
  });
}

void GridRun::run(int steps, std::span<double> av_vels) {
  run_steps(
      steps, [&](int step, int count, int first_sum) { enqueue(count, first_sum, step + count == steps); }, av_vels);
  if (!failures_) return;
  std::int32_t has_failed = 0;
  attempt("read whether all waits ended",
          [&] { session_->queue()->read(failures_, 0, sizeof has_failed, &has_failed); });
  if (has_failed)
    throw unavailable(
        "persistent: a work-group timed out waiting for another one on {}: not all {} of them were resident "
        "at once, or the run is unstable; take another variant",
        device_.name, waiting_groups_);
}

RunFacts GridRun::facts() const {
  RunFacts facts = session_->facts({});
  if (sums_) facts.settings["delay"] = options_.delay == INT_MAX ? "all" : std::to_string(options_.delay);
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

void expect_walls_that_stand(const Problem& problem, const std::string& variant) {
  if (!problem.moving.empty())
    throw bad_input("--variant: {}: walls that move need every step by itself; take two-grid or in-place", variant);
}

}  // namespace boltzmark::lbm
