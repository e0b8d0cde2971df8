// boltzmark-peaks-opencl: bandwidths, latencies, FLOP rates, launch cost and host transfers of every OpenCL device.
#include "analysis/peaks/device/benchmarks.hpp"
#include "analysis/peaks/harness.hpp"
#include "opencl/runtime/api.hpp"

using namespace boltzmark;

namespace {

Peaks describe() {
  Peaks found;
  for (const device::ComputeDevice& device : device::api().find_devices()) {
    DevicePeaks& described = found.devices.emplace_back();
    described.name = device.name;
    described.type = to_string(device.type);
    described.platform = device.platform;
    described.driver = device.driver;
    described.compute_units = device.units;
    described.memory_bytes = static_cast<std::int64_t>(device.global_bytes);
    described.local_bytes = static_cast<std::int64_t>(device.local_bytes);
    described.cache_bytes = static_cast<std::int64_t>(device.cache_bytes);
  }
  return found;
}

void add_benchmarks() {
  int number = 0;
  for (const device::ComputeDevice& device : device::api().find_devices()) peaks::add_benchmarks(number++, device);
}

}  // namespace

int main(int argc, char** argv) {
  device::use(opencl::api());
  return measuring_main(argc, argv,
                        {.name = "boltzmark-peaks-opencl",
                         .summary = "Bandwidths, FLOP rates, launch cost and transfers of the OpenCL devices",
                         .describe = describe,
                         .add_benchmarks = add_benchmarks});
}
