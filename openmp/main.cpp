#include "common/cpu_device.hpp"
#include "openmp/models.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  const Backend backend = {
      .name = "openmp",
      .summary = "D2Q9-BGK lattice Boltzmann on the threads of one machine",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"fused",
                    "structure of arrays, two grids, one vectorised pass a step, rows dealt over threads",
                    {Precision::f32, Precision::f64}}},
      .takes_threads = true,
      .default_variant = [](const Problem&, const Options&) { return "fused"; },
      .devices = cpu_devices,
      .make = [](const Options& options) { return openmp::make_fused(options.precision, options.threads); },
      .make_stream =
          [](const Options& options) { return openmp::make_stream(options.precision, options.threads); },
  };
  return run_main(argc, argv, backend);
}
