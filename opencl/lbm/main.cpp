// lbm-opencl and lbm-cuda: the D2Q9-BGK and D3Q19-BGK methods, on GPUs and by OpenCL on CPUs.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/lbm/lattice.hpp"
#include "opencl/lbm/bands.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/runtime/describe.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

std::vector<Variant> all_variants() {
  auto variants = ladder_variants();
  variants.push_back(published_variant());
  const auto more = strip_variants();
  variants.insert(variants.end(), more.begin(), more.end());
  if constexpr (may_be_processor) {
    const auto bands = band_variants();
    variants.insert(variants.end(), bands.begin(), bands.end());
  }
  return variants;
}

/// Those that a variant of this model takes.
std::vector<ModelOption> all_options() {
  auto options = lbm_options();
  options.insert(options.begin(), device_option());
  const auto variants = all_variants();
  std::erase_if(options, [&](const ModelOption& option) {
    return !option.in_every_variant &&
           std::none_of(variants.begin(), variants.end(),
                        [&](const Variant& variant) { return contains(variant.options, option.name); });
  });
  return options;
}

bool takes_all_given(const Variant& variant, const Options& options) {
  const auto all = all_options();
  return std::all_of(all.begin(), all.end(), [&](const ModelOption& option) {
    return !options.has(option.name) || option.in_every_variant || contains(variant.options, option.name);
  });
}

/// In three dimensions: several steps a launch need warps, registers for single precision, and walls that stand.
std::vector<std::string> ranking_in_3d(const ComputeDevice& device, const Problem& problem,
                                       const Options& options, std::int64_t bytes) {
  if (device.type == DeviceType::cpu) {
    constexpr std::int64_t cpu_caches = std::int64_t{24} << 20;
    std::vector<std::string> names = {bytes > cpu_caches ? "wavefront" : "in-place", "in-place", "two-grid",
                                      "time-block"};
    if constexpr (may_be_processor)
      if (compiles_waiting_groups(device)) names.insert(names.begin(), resident_wavefront);
    return names;
  }
  if (device.sub_groups != SubGroups::warps || options.precision != Precision::f32 || !problem.moving.empty())
    return {"two-grid", "in-place", "time-block"};
  if (persistent_fits(device, read_options(options), problem.parameters))
    return {"persistent", "time-block", "two-grid", "in-place"};
  return {"time-block", "two-grid", "in-place"};
}

/// Names of variants from fast to slow for this device and grid. Where a GPU's caches hold no grid, a second
/// grid costs less than stores that do not stand on a line's start; elsewhere half the memory is half as much
/// to keep near the cores, and solid cells cost nothing.
std::vector<std::string> ranking(const ComputeDevice& device, const Problem& problem,
                                 const Options& options) {
  const Parameters& p = problem.parameters;
  constexpr std::int64_t beyond_gpu_caches = std::int64_t{64} << 20;
  const int directions = p.dimension == 3 ? D3Q19::directions : D2Q9::directions;
  const std::int64_t bytes = p.cells() * directions * bytes_of(options.precision);
  if (p.dimension == 3) return ranking_in_3d(device, problem, options, bytes);
  std::vector<std::string> names;
  // Where warps exchange registers, several steps per launch are worth it; elsewhere they are not.
  const bool has_warps = device.sub_groups == SubGroups::warps && options.precision == Precision::f32;
  if (has_warps && !options.has("work-group")) {
    if (persistent_fits(device, read_options(options), p)) names.push_back("persistent");
    names.push_back("time-block");
  }
  if constexpr (may_be_processor)
    if (device.type == DeviceType::cpu) {
      if (compiles_waiting_groups(device)) names.push_back(resident_wavefront);
      names.push_back(overlapped_wavefront);
    }
  const bool two_grids = device.type != DeviceType::cpu && bytes > beyond_gpu_caches;
  names.insert(names.end(), {two_grids ? "two-grid" : "in-place", "two-grid"});
  if (options.has("time-block")) names.push_back("time-block");
  return names;
}

std::string default_variant(const Problem& problem, const Options& options) {
  const auto names = ranking(choose_device(options.text("device")), problem, options);
  const auto variants = all_variants();
  for (const auto& name : names)
    for (const auto& variant : variants)
      if (variant.name == name && takes_all_given(variant, options)) return name;
  return names.front();  // the check of options says what does not fit it
}

std::unique_ptr<Solver> make(const Problem& problem, const Options& options) {
  const LbmOptions own = read_options(options);
  if (problem.parameters.dimension == 2) check_flat(own);
  const ComputeDevice device = device_for(options);
  if (auto solver = make_ladder_step(options.variant, device, own)) return solver;
  if constexpr (may_be_processor) {
    const bool is_default = options.has_default_variant && options.variant == resident_wavefront;
    if (problem.parameters.dimension == 3 && options.variant == resident_wavefront)
      return is_default ? make_default_plane_bands(problem, device, own) : make_plane_bands(device, own);
    if (is_default) return make_default_bands(device, own);
    if (auto solver = make_bands(options.variant, device, own)) return solver;
  }
  if (options.variant == published_variant().name) return make_published(problem, device, own);
  return make_strip_variant(options.variant, problem, device, own);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  lbm::Program program;
  namespace model = BOLTZMARK_DEVICE_API;
  model::describe(program, "D2Q9-BGK and D3Q19-BGK lattice Boltzmann");
  program.variants = model::all_variants();
  program.options = model::all_options();
  program.default_variant = model::default_variant;
  program.make = model::make;
  return lbm::run_program(argc, argv, program);
}
