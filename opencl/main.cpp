// lbm-opencl: the D2Q9-BGK method in OpenCL, on GPUs and CPUs.
#include "common/error.hpp"
#include "opencl/device.hpp"
#include "opencl/models.hpp"

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
  backend.default_variant = [](const Problem& problem, const Options& options) {
    return default_row_variant(choose_device(options.device), problem.parameters, options.precision);
  };
  backend.devices = list_devices;
  backend.device_limits = [](const Options& options) { return limits_of(choose_device(options.device)); };
  backend.make = make;
  backend.make_stream = [](const Options& options) { return make_stream(device_for(options), options); };
  return run_main(argc, argv, backend);
}
