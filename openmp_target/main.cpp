#include "openmp_target/device.hpp"
#include "openmp_target/models.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  const Backend backend = {
      .name = "openmp_target",
      .summary = "D2Q9-BGK lattice Boltzmann in OpenMP target regions on an offload device",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"fused",
                    "structure of arrays, two grids mapped once, one target region a step",
                    {Precision::f32, Precision::f64}}},
      .takes_threads = true,
      .takes_device = true,
      .default_variant = [](const Problem&, const Options&) { return "fused"; },
      .devices = openmp_target::list_devices,
      .make =
          [](const Options& options) {
            return openmp_target::make_fused(options.precision, openmp_target::choose_device(options.device),
                                             options.threads);
          },
      .make_stream =
          [](const Options& options) {
            return openmp_target::make_stream(options.precision, openmp_target::choose_device(options.device),
                                              options.threads);
          },
  };
  return run_main(argc, argv, backend);
}
