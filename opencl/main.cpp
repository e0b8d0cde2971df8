// lbm-opencl: the D2Q9-BGK method in OpenCL, on GPUs and CPUs.
#include "common/error.hpp"
#include "opencl/device.hpp"
#include "opencl/models.hpp"

using namespace boltzmark;

namespace {

OpenclDevice device_for(const Options& options) {
  const OpenclDevice device = choose_device(options.device);
  if (options.precision == Precision::f64 && !device.has_doubles)
    throw unavailable("--precision: {} has no double precision", device.name);
  return device;
}

}  // namespace

int main(int argc, char** argv) {
  Backend backend;
  backend.name = "opencl";
  backend.summary = "D2Q9-BGK lattice Boltzmann in OpenCL";
  backend.build = BOLTZMARK_BUILD_INFO;
  backend.variants = {{"fused",
                       "two grids in structure-of-arrays form on the device, one masked kernel a step",
                       {Precision::f32, Precision::f64}}};
  backend.takes_device = true;
  backend.takes_work_group = true;
  backend.default_variant = [](const Problem&, const Options&) { return std::string("fused"); };
  backend.devices = list_devices;
  backend.make = [](const Options& options) { return make_fused(device_for(options), options); };
  backend.make_stream = [](const Options& options) { return make_stream(device_for(options), options); };
  return run_main(argc, argv, backend);
}
