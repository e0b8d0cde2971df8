// persistent: all steps in one launch, whose work-groups keep the grid on the chip and exchange messages. In two
// dimensions tiles, in three bricks of rows (block_plans.hpp).
#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/block_strip.hpp"
#include "common/lbm/device/program.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view bricks_source;

namespace {

class Bricks final : public GridRun {
 public:
  Bricks(const ComputeDevice& device, const LbmOptions& options) : GridRun(device, options) {}

  void init(const Problem& problem) override {
    expect_walls_that_stand(problem, "persistent");
    problem_ = &problem;
    plan_ = plan_bricks(device_, options_, grid());
    layout_ = make_layout(grid(), whole_grid(grid()), 1, sizeof(float), false);
    const auto bits = solid_bits(problem, whole_grid(grid()), layout_);
    const std::size_t grid_bytes = grid_values(layout_) * sizeof(float);
    std::vector<BufferRequest> buffers = exchange_buffers(plan_.mailbox_words(grid()), plan_.groups());
    buffers.insert(buffers.end(), {{&grids_[0], grid_bytes},
                                   {&grids_[1], grid_bytes},
                                   {&solid_bits_, bits.size() * sizeof bits[0], bits.data()}});
    prepare(bricks_source,
            {.group = {plan_.items, 1},
             .reduction = default_reduction(device_),
             .defines = fmt::format("-D LATTICE_D3Q19 -D NX={} -D NY={} -D NZ={} -D PITCH={} -D WEST={} {}", layout_.nx,
                                    layout_.ny, layout_.nz, layout_.pitch, layout_.west, plan_.defines()),
             .native_math = true},
            StepSums(Precision::f32, static_cast<std::size_t>(plan_.groups()), options_.delay, INT_MAX), buffers);
  }

  void collect(State& state) override {
    attempt("read the final state",
            [&] { read_fields(session_->queue(), grids_[state_], layout_, Storage::f32, grid(), fields_of(state)); });
  }

 private:
  void make_kernels() override {
    const Value relaxation = relaxation_value(grid(), Precision::f32);
    for (std::size_t i = 0; i < 2; ++i)  // what changes from launch to launch comes first, see launch
      steps_[i] = Kernel(module_, "brick_steps", 0, 0, 0, grids_[i], grids_[1 - i], solid_bits_, sums_->partial_sums(),
                         relaxation, mailbox_, failures_);
    accelerate_start_ = Kernel(module_, "accelerate_start", 0, solid_bits_, layout_, relaxation, grids_[0]);
  }

  /// A step in each direction on a grid at rest, which stays at rest without body force.
  void launch_first() override {
    for (int i = 0; i < 2; ++i) launch(1, 0, 0);
  }

  /// The start state, with the body force of the first step; the grids are all zeros, the state at rest.
  void start() override {
    state_ = 0;
    if (!starts_at_rest(grid()))
      write_start(session_->queue(), grids_[0], layout_, Storage::f32, *problem_, whole_grid(grid()));
    if (grid().driven_row() < 0) return;
    accelerate_start_.rebind(grid().driven_row());
    session_->queue()->launch(accelerate_start_, Range(layout_.vectors, layout_.nz));
  }

  void enqueue(int count, int first_sum, bool is_end) override {
    launch(count, grid().driven_row() < 0 ? 0 : is_end ? count - 1 : count, first_sum);
  }

  void launch(int steps, int driven_steps, int first_sum) {
    session_->zero(mailbox_, mailbox_bytes());
    steps_[state_].rebind(first_sum, steps, driven_steps);
    session_->queue()->launch(steps_[state_], Range(plan_.groups() * plan_.items), Range(plan_.items));
    state_ = 1 - state_;
    steps_per_launch_ = std::max(steps_per_launch_, steps);
  }

  void add_facts(RunFacts& facts) const override {
    facts.settings.update({{"work_group", fmt::format("{}x1", plan_.items)},
                           {"groups", plan_.groups()},
                           {"pieces", plan_.pieces()},
                           {"memory_bytes_per_update", 0.0}});
  }

  BrickPlan plan_;
  Layout layout_ = {};
};

std::string why_not(const Problem& problem, const Options& asked) {
  if (problem.parameters.dimension == 3 && (asked.has("time-block") || asked.has("work-group")))
    return "--time-block, --work-group: expected none in three dimensions, where bricks fill the device and exchange "
           "in every step";
  return "";
}

std::unique_ptr<Solver> make(const Problem& problem, const Options& asked) {
  if (problem.parameters.dimension == 3) return on_device<Bricks>(problem, asked);
  return std::make_unique<BlockStrip>(plan_persistent, device_for(asked), read_options(asked, 2));
}

}  // namespace

extern const Variant persistent = {
    .name = "persistent",
    .summary =
        "all steps in one launch, where the whole grid fits the device's local memories or registers; in three "
        "dimensions bricks of rows in local memory, and no walls that move",
    .precisions = {Precision::f32},
    .kinds = {D3Q19::name},
    .options = {work_group_option(), time_block_option({"2", "4", "6", "8"}).within(1, most_launch_steps),
                delay_option()},
    .fits = why_not,
    .make = make};

bool persistent_fits(const ComputeDevice& device, const Problem& problem, const Options& asked) {
  if (!why_not(problem, asked).empty()) return false;
  const Parameters& p = problem.parameters;
  try {
    const LbmOptions options = read_options(asked, p.dimension);
    if (p.dimension == 3)
      plan_bricks(device, options, p);
    else
      plan_persistent(device, options, p);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace boltzmark::lbm
