// persistent: all steps in one launch, whose work-groups keep the grid on the chip and exchange messages: tiles in two
// dimensions, bricks of rows in three (block_plans.hpp).
#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/block_strip.hpp"
#include "common/lbm/device/program.hpp"
#include "common/lbm/device/row_strip.hpp"

namespace boltzmark::lbm {

using namespace device;

namespace {

/// Rows in the layout of two-grid; each launch begins and ends with them.
class Bricks final : public RowStrip {
 public:
  Bricks(const ComputeDevice& device, const LbmOptions& options) : RowStrip({{}, {}, 2}, device, options) {}

  void enqueue(const StripLaunch& launch) override {
    session_->zero(mailbox_, mailbox_bytes());
    const int driven_steps = driven_row_ < 0 ? 0 : launch.steps - launch.is_end;
    steps_[launch.source].rebind(launch.first_sum, launch.steps, driven_steps);
    session_->queue()->launch(steps_[launch.source], Range(plan_.groups * plan_.items), Range(plan_.items));
    state_ = 1 - launch.source;
    steps_per_launch_ = std::max(steps_per_launch_, launch.steps);
  }

 private:
  void init_strip() override {
    expect_walls_that_stand(*problem_, "persistent");
    plan_ = plan_bricks(device_, grid(), is_half());
    layout_ = make_layout(grid(), window_, plan_.vvl, stored_bytes(), false);
    const auto bits = solid_bits(*problem_, window_, layout_);
    const std::size_t grid_bytes = grid_values(layout_) * stored_bytes();
    std::vector<BufferRequest> buffers = exchange_buffers(plan_.mailbox_words, plan_.groups);
    buffers.insert(buffers.end(), {{&grids_[0], grid_bytes},
                                   {&grids_[1], grid_bytes},
                                   {&solid_bits_, bits.size() * sizeof bits[0], bits.data()}});
    prepare(plan_.source,
            {.group = {plan_.items, 1},
             .reduction = default_reduction(device_),
             .lanes = plan_.vvl,
             .defines = fmt::format("-D LATTICE_D3Q19 -D NX={} -D NY={} -D NZ={} -D PITCH={} -D WEST={} {}", layout_.nx,
                                    layout_.ny, layout_.nz, layout_.pitch, layout_.west, plan_.defines),
             .native_math = true},
            StepSums(Precision::f32, static_cast<std::size_t>(plan_.groups), options_.delay, INT_MAX), buffers);
  }

  void make_kernels() override {
    for (std::size_t i = 0; i < 2; ++i)  // arguments that change between launches come first, see enqueue
      steps_[i] = Kernel(module_, plan_.kernel, 0, 0, 0, grids_[i], grids_[1 - i], solid_bits_, sums_->partial_sums(),
                         relaxation(), mailbox_, failures_);
    accelerate_start_ = Kernel(module_, "accelerate_start", 0, solid_bits_, layout_, relaxation(), grids_[0]);
  }

  /// A step in each direction on a grid at rest, which stays at rest without body force.
  void launch_first() override {
    driven_row_ = -1;
    for (int i = 0; i < 2; ++i) enqueue({.source = i, .is_end = true});
    driven_row_ = grid().driven_row();
  }

  void add_facts(RunFacts& facts) const override {
    facts.settings.update({{"work_group", fmt::format("{}x1", plan_.items)},
                           {"groups", plan_.groups},
                           {"pieces", plan_.pieces},
                           {"storage", is_half() ? "f16" : "f32"}});
    facts.traffic = resident_traffic(plan_.words_crossing, plan_.depth);
  }

  BlockPlan plan_;
};

std::string why_not(const Problem& problem, const Options& asked) {
  if (problem.parameters.dimension == 3 && (asked.has("time-block") || asked.has("work-group")))
    return "--time-block, --work-group: expected none in three dimensions, where bricks fill the device and exchange "
           "in every step";
  if (problem.parameters.dimension == 2 && wants_halves(asked))
    return "--storage: expected f32 in two dimensions, found f16";
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
        "all steps in one launch, if the whole grid fits the device's local memories or registers; in three dimensions "
        "bricks of rows in local memory, also in f16 (no moving walls)",
    .precisions = {Precision::f32},
    .kinds = {D3Q19::name},
    .options = {work_group_option(), time_block_option({"2", "4", "6", "8"}).within(1, most_launch_steps),
                storage_option(), delay_option()},
    .fits = why_not,
    .make = make};

bool persistent_fits(const ComputeDevice& device, const Problem& problem, const Options& asked) {
  if (!why_not(problem, asked).empty()) return false;
  const Parameters& p = problem.parameters;
  try {
    if (p.dimension == 3)
      plan_bricks(device, p, wants_halves(asked));
    else
      plan_persistent(device, read_options(asked, 2), p);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace boltzmark::lbm
