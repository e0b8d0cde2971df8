// boltzmark-peaks-opencl: bandwidths, FLOP rates, launch cost and host transfers of every OpenCL device.
#include <unistd.h>

#include <cstdlib>

#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/opencl/session.hpp"
#include "common/cpu/processors.hpp"

using namespace boltzmark;

namespace {

Peaks describe() {
  Peaks peaks;
  for (const ComputeDevice& device : find_devices()) {
    DevicePeaks& described = peaks.devices.emplace_back();
    described.name = device.name;
    described.type = to_string(device.type);
    described.platform = device.platform;
    described.driver = device.driver;
    described.compute_units = device.units;
    described.memory_bytes = static_cast<std::int64_t>(device.global_bytes);
    described.local_bytes = static_cast<std::int64_t>(device.local_bytes);
    described.cache_bytes = static_cast<std::int64_t>(attempt("ask for a device's cache", [&] {
      return device.handle.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
    }));
  }
  return peaks;
}

void add_benchmarks() {
  int number = 0;
  for (const ComputeDevice& device : find_devices()) {
    const auto session = std::make_shared<Session>(device);
    add_bandwidth(number, session);
    add_compute(number, session);
    add_launch_and_transfer(number, session);
    ++number;
  }
}

/// PoCL binds its threads to processors 0, 1, ... when asked to; unbound they now and then share one. It
/// would fail where we may not use all processors.
void bind_pocl_threads() {
  if (usable_cores() == sysconf(_SC_NPROCESSORS_ONLN)) setenv("POCL_AFFINITY", "1", 0);
}

}  // namespace

int main(int argc, char** argv) {
  bind_pocl_threads();
  return measuring_main(argc, argv,
                        {.name = "boltzmark-peaks-opencl",
                         .summary = "Bandwidths, FLOP rates, launch cost and transfers of the OpenCL devices",
                         .build = BOLTZMARK_BUILD_INFO,
                         .describe = describe,
                         .add_benchmarks = add_benchmarks});
}
