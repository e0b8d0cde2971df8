// The variants that do several steps in a launch: `time-block`, and `persistent`, which does all of them.
#include "common/error.hpp"
#include "opencl/block_grid.hpp"
#include "opencl/models.hpp"

namespace boltzmark {
namespace {

BlockPlan plan_time_block(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  if (device.sub_groups == SubGroups::warps && options.precision == Precision::f32)
    return plan_wavefront(device, options, grid);
  return plan_tiles(device, options, grid);
}

/// All rows on one device, a launch for every few steps or for all.
template <class T>
class BlockModel final : public Model {
 public:
  BlockModel(Planner planner, const OpenclDevice& device, const OpenclOptions& options)
      : grid_(planner, device, options) {}

  void init(const Problem& problem) override {
    all_ = {.south = 0, .south_rows = problem.parameters.ny, .north = 0, .north_rows = 0};
    grid_.init(problem, whole_grid(problem.parameters), {all_});
  }

  void run(int steps, std::span<double> av_vels) override {
    int launches = 0;
    grid_.run(
        steps,
        [&](int step, int count, int first_sum) {
          grid_.enqueue({.bands = all_,
                         .source = launches++ % 2,
                         .steps = count,
                         .first_sum = first_sum,
                         .is_end = step + count == steps});
        },
        av_vels);
  }

  void collect(State& state) override { grid_.collect(fields_of(state)); }
  RunFacts facts() const override { return grid_.facts(); }

 private:
  BlockGrid<T> grid_;
  Bands all_ = {};
};

}  // namespace

std::vector<Variant> block_variants() {
  return {
      {.name = "time-block",
       .summary = "several steps a launch: a wavefront in registers, or tiles that overlap in local memory",
       .precisions = {Precision::f32, Precision::f64},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {"delay"}},
      {.name = "persistent",
       .summary = "all steps in one launch, where the whole grid fits the device's local memories",
       .precisions = {Precision::f32},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {"delay"}}};
}

std::unique_ptr<Model> make_block_variant(const std::string& name, const OpenclDevice& device,
                                          const OpenclOptions& options) {
  if (name == "persistent") return std::make_unique<BlockModel<float>>(plan_persistent, device, options);
  if (name != "time-block") return nullptr;
  if (options.precision == Precision::f64)
    return std::make_unique<BlockModel<double>>(plan_time_block, device, options);
  return std::make_unique<BlockModel<float>>(plan_time_block, device, options);
}

bool persistent_fits(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  try {
    plan_persistent(device, options, grid);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace boltzmark
