// lbm-opencl: the D2Q9-BGK method in OpenCL, on GPUs and CPUs.
#include <algorithm>

#include "common/base/error.hpp"
#include "common/lbm/lattice.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/lbm/variants.hpp"

using namespace boltzmark;

namespace {

std::vector<Variant> all_variants() {
  auto variants = ladder_variants();
  for (const auto& more : {row_variants(), block_variants()})
    variants.insert(variants.end(), more.begin(), more.end());
  return variants;
}

OpenclDevice device_for(const Options& options) {
  const OpenclDevice device = choose_device(options.device);
  if (options.precision == Precision::f64 && !device.has_doubles)
    throw unavailable("--precision: {} has no double precision", device.name);
  return device;
}

bool takes_all_given(const Variant& variant, const Options& options) {
  const auto takes = [&](const auto& given) {
    const auto own = own_options();
    const auto option =
        std::find_if(own.begin(), own.end(), [&](const auto& o) { return o.name == given.first; });
    return option->in_every_variant ||
           std::find(variant.options.begin(), variant.options.end(), given.first) != variant.options.end();
  };
  return (!options.vvl || variant.takes_vvl) && (!options.time_block || variant.takes_time_block) &&
         std::all_of(options.own.begin(), options.own.end(), takes);
}

/// Names of variants from fast to slow for this device and grid. Where a GPU's caches hold no grid, a second
/// grid costs less than stores that do not stand on a line's start; elsewhere half the memory is half as much
/// to keep near the cores, and obstacles cost nothing.
std::vector<std::string> ranking(const OpenclDevice& device, const Parameters& p, const Options& options) {
  constexpr std::int64_t beyond_gpu_caches = std::int64_t{64} << 20;
  const std::int64_t bytes = std::int64_t{p.nx} * p.ny * Lattice::directions * bytes_of(options.precision);
  std::vector<std::string> names;
  // Where warps exchange registers, several steps a launch are worth it; elsewhere they are not.
  const bool has_warps = device.sub_groups == SubGroups::warps && options.precision == Precision::f32;
  if (has_warps && !options.work_group) {
    if (persistent_fits(device, read_options(options), p)) names.push_back("persistent");
    names.push_back("time-block");
  }
  const bool two_grids = device.type != DeviceType::cpu && bytes > beyond_gpu_caches;
  names.insert(names.end(), {two_grids ? "two-grid" : "in-place", "two-grid"});
  if (options.time_block) names.push_back("time-block");
  return names;
}

std::string default_variant(const Problem& problem, const Options& options) {
  const auto names = ranking(choose_device(options.device), problem.parameters, options);
  const auto variants = all_variants();
  for (const auto& name : names)
    for (const auto& variant : variants)
      if (variant.name == name && takes_all_given(variant, options)) return name;
  return names.front();  // the check of options says what does not fit it
}

std::unique_ptr<Model> make(const Options& options) {
  const OpenclOptions own = read_options(options);
  const OpenclDevice device = device_for(options);
  if (auto model = make_ladder_step(options.variant, device, own)) return model;
  if (auto model = make_row_variant(options.variant, device, own)) return model;
  return make_block_variant(options.variant, device, own);
}

}  // namespace

int main(int argc, char** argv) {
  Backend backend;
  backend.name = "opencl";
  backend.summary = "D2Q9-BGK lattice Boltzmann in OpenCL";
  backend.build = BOLTZMARK_BUILD_INFO;
  backend.variants = all_variants();
  backend.takes_device = true;
  backend.takes_work_group = true;
  backend.options = own_options();
  backend.default_variant = default_variant;
  backend.devices = list_devices;
  backend.device_limits = [](const Options& options) { return limits_of(choose_device(options.device)); };
  backend.make = make;
  backend.make_stream = [](const Options& options) { return make_stream(device_for(options), options); };
  return run_main(argc, argv, backend);
}
