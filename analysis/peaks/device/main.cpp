// boltzmark-peaks-opencl: bandwidths, latencies, FLOP rates, launch cost and host transfers of every OpenCL device.
#include <unistd.h>

#include <cstdlib>

#include "analysis/peaks/device/benchmarks.hpp"
#include "analysis/peaks/harness.hpp"
#include "common/cpu/processors.hpp"
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

/// PoCL binds its threads to processors 0, 1, ... when asked to; unbound they now and then share one. It
/// would fail where this process may not use all processors.
void bind_pocl_threads() {
  if (usable_cores() == sysconf(_SC_NPROCESSORS_ONLN)) setenv("POCL_AFFINITY", "1", 0);
}

}  // namespace

int main(int argc, char** argv) {
  bind_pocl_threads();
  device::use(opencl::api());
  return measuring_main(argc, argv,
                        {.name = "boltzmark-peaks-opencl",
                         .summary = "Bandwidths, FLOP rates, launch cost and transfers of the OpenCL devices",
                         .build = BOLTZMARK_BUILD_INFO,
                         .describe = describe,
                         .add_benchmarks = add_benchmarks});
}
