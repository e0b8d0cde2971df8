// time-block: several steps in a launch. In two dimensions a wavefront in registers, or overlapping tiles in local
// memory; in three dimensions two steps, by tiles that march along z (block_plans.hpp).
#include "common/lbm/device/block_strip.hpp"
#include "common/lbm/device/row_strip.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view planes_source;

namespace {

/// Rows in the layout of two-grid, and a kernel that does two steps in a launch; an odd step at the end is done by
/// two-grid's kernel.
class PlanePairs final : public RowStrip {
 public:
  PlanePairs(const ComputeDevice& device, const LbmOptions& options)
      : RowStrip({planes_source, {"two_grid_step", "two_grid_step"}, 2}, device, options) {}
  int launch_steps() const override { return 2; }

  void enqueue(const StripLaunch& launch) override {
    const int first_sum = launch.first_sum + launch_sums_[launch.number];
    const Queue& queue = queue_of(launch);
    if (launch.steps == 1) {  // this kernel leaves another number of sums
      queue->fill(sums_->partial_sums(), 0, static_cast<std::size_t>(first_sum) * value_bytes(),
                  static_cast<std::size_t>(sums_a_step()) * value_bytes());
      return RowStrip::enqueue(launch);
    }
    constexpr int driven_1 = 64, driven_2 = 128;  // see kernels/planes.cl
    const int driven = driven_row_ < 0 ? 0 : launch.is_end ? driven_1 : driven_1 | driven_2;
    two_steps_[launch.source].rebind(first_sum, driven);
    queue->launch(two_steps_[launch.source], Range(plan_.groups * plan_.items), Range(plan_.items));
    state_ = 1 - launch.source;
  }

 private:
  int choose_vvl() const override { return 1; }
  WorkGroup choose_group() const override { return default_group(); }  // that asked for is the tile

  void plan() override {
    expect_walls_that_stand(*problem_, "time-block");
    plan_ = plan_planes(device_, options_, grid(), is_half());
    launch_sums_.back() = std::max(launch_sums_.back(), plan_.groups);
  }

  KernelShape shape() const override {
    KernelShape shape = RowStrip::shape();
    if (device_.type == DeviceType::cpu) shape.defines += fmt::format(" -D PITCH={}", layout_.pitch);
    shape.defines += fmt::format(" -D NX={} -D NY={} -D NZ={} -D WEST={} {}", layout_.nx, layout_.ny, layout_.nz,
                                 layout_.west, plan_.defines());
    shape.resident_kernel = "plane_steps";
    shape.resident_groups = plan_.resident_groups;
    return shape;
  }

  void make_kernels() override {
    RowStrip::make_kernels();
    for (int i = 0; i < 2; ++i)
      two_steps_[i] = Kernel(module_, "plane_steps", 0, 0, grids_[i], grids_[1 - i], solid_bits_, sums_->partial_sums(),
                             sums_a_step(), relaxation());
  }

  void add_facts(RunFacts& facts) const override {
    RowStrip::add_facts(facts);
    facts.settings.update(
        {{"work_group", to_string(WorkGroup{plan_.tile_x, plan_.tile_y, plan_.planes})},
         {"items_per_group", plan_.items},
         {"groups", plan_.groups},
         {"pieces", fmt::format("{}x{} columns, {} planes", plan_.tile_x, plan_.tile_y, plan_.planes)}});
    const int at_once = std::min(plan_.groups, std::max(1, plan_.resident_groups) * device_.units);
    facts.traffic = launched_steps(grid_bytes_of_all(), run_steps_, launch_steps(), is_cpu(), plan_.read_again(),
                                   3.0 * (plan_.tile_x + 2) * (plan_.tile_y + 2) * at_once);
  }

  PlanePlan plan_;
  std::array<Kernel, 2> two_steps_;  ///< in one launch
};

std::string why_no_blocks(const Problem& problem, const Options& asked) {
  const int steps = asked.number("time-block").value_or(2);
  if (problem.parameters.dimension == 3 && steps != 2)
    return fmt::format("--time-block: expected 2 in three dimensions, found {}", steps);
  return "";
}

std::unique_ptr<Solver> made_of_blocks(const Problem& problem, const Options& asked) {
  if (problem.parameters.dimension == 3) return on_device<PlanePairs>(problem, asked);
  const ComputeDevice device = device_for(asked);
  const LbmOptions options = read_options(asked, 2);
  const bool has_warps = device.sub_groups == SubGroups::warps;
  return std::make_unique<BlockStrip>(has_warps ? plan_wavefront : plan_tiles, device, options);
}

}  // namespace

extern const Variant time_block = {
    .name = "time-block",
    .summary =
        "several steps per launch: a wavefront in registers, or tiles that overlap in local memory; in three "
        "dimensions two steps, in tiles that move along z (no moving walls)",
    .kinds = {D3Q19::name},
    .options = {work_group_option(), time_block_option({"2", "4", "6", "8"}).within(2, most_launch_steps, 2),
                storage_option(), delay_option()},
    .fits = why_no_blocks,
    .make = made_of_blocks};

std::unique_ptr<DeviceStrip> wavefront_strip(const ComputeDevice& device, const LbmOptions& options) {
  const int steps = plan_wavefront(device, options, {.nx = 1, .ny = 1}).depth;  // or the missing feature of the device
  return std::make_unique<BlockStrip>(plan_wavefront, device, options, steps);
}

}  // namespace boltzmark::lbm
