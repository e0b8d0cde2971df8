// The variants that run on strips: `two-grid` and `in-place` walk along rows, a vector of cells at a time; `time-block`
// does several steps in a launch and `persistent` all of them.
#include "opencl/lbm/variants.hpp"

#include "common/base/error.hpp"
#include "opencl/lbm/block_strip.hpp"
#include "opencl/lbm/brick_plan.hpp"
#include "opencl/lbm/bricks.hpp"
#include "opencl/lbm/row_strip.hpp"
#include "opencl/lbm/strip_solver.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

BlockPlan plan_time_block(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  if (device.sub_groups == SubGroups::warps && options.precision == Precision::f32)
    return plan_wavefront(device, options, grid);
  return plan_tiles(device, options, grid);
}

std::unique_ptr<DeviceStrip> make_row_strip(const RowVariant& variant, const ComputeDevice& device,
                                            const LbmOptions& options) {
  if (options.precision == Precision::f64) {
    if (options.half_storage) throw bad_input("--storage: f16 goes with single precision, found f64");
    return std::make_unique<RowStrip<double, double>>(variant, device, options);
  }
  if (options.half_storage) return std::make_unique<RowStrip<float, StoredHalf>>(variant, device, options);
  return std::make_unique<RowStrip<float, float>>(variant, device, options);
}

}  // namespace

std::vector<Variant> strip_variants() {
  std::vector<Variant> variants;
  for (const auto& row : row_table()) {
    if (row.is_swept && !may_be_processor) continue;  // it is for the caches of processors
    Variant variant = {.name = row.name,
                       .summary = row.summary,
                       .options = {"work-group", "vvl", "reduction", "delay"},
                       .kinds = {D3Q19::name}};
    if (row.grids == 2) {
      variant.options.push_back("storage");
      variant.role = Role::like_for_like;
    }
    if (Repeated::is_recorded) variant.options.push_back("launches");
    if (row.is_swept) variant.options.push_back("time-block");
    variants.push_back(variant);
  }
  variants.push_back(
      {.name = "time-block",
       .summary =
           "several steps per launch: a wavefront in registers, or tiles that overlap in local memory; in three "
           "dimensions two, of tiles that march along z, and no walls that move",
       .options = {"work-group", "time-block", "storage", "delay"},
       .kinds = {D3Q19::name}});
  if (Repeated::is_recorded) variants.back().options.push_back("launches");
  variants.push_back(
      {.name = "persistent",
       .summary =
           "all steps in one launch, where the whole grid fits the device's local memories or registers; in three "
           "dimensions bricks of rows in local memory, and no walls that move",
       .precisions = {Precision::f32},
       .options = {"work-group", "time-block", "delay"},
       .kinds = {D3Q19::name}});
  return variants;
}

std::unique_ptr<Solver> make_strip_variant(const std::string& name, const Problem& problem,
                                           const ComputeDevice& device, const LbmOptions& options) {
  for (const auto& row : row_table())
    if (row.name == name) return on_whole_grid(make_row_strip(row, device, options));
  if (name == "persistent" && problem.parameters.dimension == 3) return make_bricks(device, options);
  if (name == "persistent")
    return on_whole_grid(std::make_unique<BlockStrip<float>>(plan_persistent, device, options));
  if (name != "time-block") return nullptr;
  if (problem.parameters.dimension == 3)
    return on_whole_grid(make_row_strip(planes_variant(), device, options));
  if (options.half_storage)
    throw unavailable("time-block: --storage f16 is for problems in three dimensions, found one in two");
  if (options.precision == Precision::f64)
    return on_whole_grid(std::make_unique<BlockStrip<double>>(plan_time_block, device, options));
  return on_whole_grid(std::make_unique<BlockStrip<float>>(plan_time_block, device, options));
}

bool persistent_fits(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  try {
    if (grid.dimension == 3)
      plan_bricks(device, options, grid);
    else
      plan_persistent(device, options, grid);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
