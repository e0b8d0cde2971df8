#include "common/lbm/device/program.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/block_plans.hpp"
#include "common/lbm/device/options.hpp"

namespace boltzmark::lbm {

using namespace device;
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

/// In three dimensions several steps per launch require warps and walls at rest.
std::vector<std::string> ranking_in_3d(const ComputeDevice& device, const Problem& problem, const Options& asked,
                                       std::int64_t bytes) {
  if (device.type == DeviceType::cpu) {
    constexpr std::int64_t cpu_caches = 24 * mib;
    return {bytes > cpu_caches ? "wavefront" : "in-place", "in-place", "two-grid", "time-block"};
  }
  if (device.sub_groups != SubGroups::warps || !problem.moving.empty()) return {"two-grid", "in-place", "time-block"};
  if (asked.precision == Precision::f32 && persistent_fits(device, problem, asked))
    return {"persistent", "time-block", "two-grid", "in-place"};
  return {"time-block", "two-grid", "in-place"};
}

/// Names of variants from fast to slow for this device and grid. If a GPU's caches hold no grid, a second grid costs
/// less than stores that are not aligned with cache lines; elsewhere half the memory is half as much to keep near the
/// cores, and solid cells cost nothing.
std::vector<std::string> ranking(const ComputeDevice& device, const Problem& problem, const Options& asked) {
  const Parameters& p = problem.parameters;
  constexpr std::int64_t beyond_gpu_caches = 64 * mib;
  const int directions = p.dimension == 3 ? D3Q19::directions : D2Q9::directions;
  const std::int64_t bytes = p.cells() * directions * bytes_of(asked.precision);
  if (p.dimension == 3) return ranking_in_3d(device, problem, asked, bytes);
  std::vector<std::string> names;
  // Several steps per launch pay off only if warps exchange registers.
  const bool has_warps = device.sub_groups == SubGroups::warps;
  if (has_warps && !asked.has("work-group")) {
    if (asked.precision == Precision::f32 && persistent_fits(device, problem, asked)) names.push_back("persistent");
    if (wavefront_pays(p.cells(), asked.precision)) names.push_back("time-block");
  }
  const bool is_cpu = device.type == DeviceType::cpu, two_grids = !is_cpu && bytes > beyond_gpu_caches;
  names.insert(names.end(), {two_grids ? "two-grid" : "in-place", "two-grid"});
  if (asked.has("time-block")) names.push_back("time-block");
  return names;
}

bool supports(const Variant& variant, const Problem& problem) {
  return problem.parameters.dimension == 2 || contains(variant.kinds, problem.lattice());
}

/// Whether it has every given option that not all variants have.
bool takes_all(const Variant& variant, const Program& program, const Options& asked) {
  const auto has = [](const std::vector<ModelOption>& options, const std::string& name) {
    return std::any_of(options.begin(), options.end(), [&](const ModelOption& one) { return one.name == name; });
  };
  return std::all_of(asked.of_model.begin(), asked.of_model.end(), [&](const auto& given) {
    return has(variant.options, given.first) || has(program.options, given.first);
  });
}

}  // namespace

Variant recorded(Variant variant) {
  variant.options.push_back(launches_option());
  return variant;
}

Program device_program(Variants variants,
                       const std::function<std::vector<std::string>(const ComputeDevice&)>& for_processors) {
  Program program = program_of(workload);
  program.variants = std::move(variants);
  program.default_variant = [program, for_processors](const Problem& problem, const Options& asked) -> std::string {
    const ComputeDevice device = choose_device(asked.text("device"));
    auto names = ranking(device, problem, asked);
    if (device.type == DeviceType::cpu && for_processors) {
      const auto first = for_processors(device);
      names.insert(names.begin(), first.begin(), first.end());
    }
    std::string possible;
    for (const std::string& name : names)
      if (const Variant* const variant = program.variant(name); variant && supports(*variant, problem)) {
        if (takes_all(*variant, program, asked) && variant->why_not(AnyCase(problem), asked).empty()) return name;
        if (possible.empty()) possible = name;
      }
    return possible;  // the check of options reports the fault
  };
  return program;
}

}  // namespace boltzmark::lbm
