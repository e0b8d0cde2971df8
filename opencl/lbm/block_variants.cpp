// The variants that do several steps in a launch: `time-block`, and `persistent`, which does all of them.
#include "common/base/error.hpp"
#include "opencl/lbm/block_grid.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/lbm/whole_grid.hpp"

namespace boltzmark {
namespace {

BlockPlan plan_time_block(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  if (device.sub_groups == SubGroups::warps && options.precision == Precision::f32)
    return plan_wavefront(device, options, grid);
  return plan_tiles(device, options, grid);
}

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
       .summary =
           "all steps in one launch, where the whole grid fits the device's local memories or registers",
       .precisions = {Precision::f32},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {"delay"}}};
}

std::unique_ptr<Model> make_block_variant(const std::string& name, const OpenclDevice& device,
                                          const OpenclOptions& options) {
  if (name == "persistent")
    return on_whole_grid(std::make_unique<BlockGrid<float>>(plan_persistent, device, options));
  if (name != "time-block") return nullptr;
  if (options.precision == Precision::f64)
    return on_whole_grid(std::make_unique<BlockGrid<double>>(plan_time_block, device, options));
  return on_whole_grid(std::make_unique<BlockGrid<float>>(plan_time_block, device, options));
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
