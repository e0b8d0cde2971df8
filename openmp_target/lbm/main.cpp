#include "openmp_target/runtime/device.hpp"
#include "openmp_target/lbm/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  const std::vector<Precision> both = {Precision::f32, Precision::f64};
  const Backend backend = {
      .name = "openmp_target",
      .summary = "D2Q9-BGK lattice Boltzmann in OpenMP target regions on an offload device",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"published", "as published: mapped grids, one region a step, the compiler's reduction",
                    both},
                   {"fused", "structure of arrays, two grids, one region a step, sums kept on the device",
                    both},
                   {"in-place", "one grid, updated where it lies, one region a step", both},
                   {"persistent", "one grid, many steps a region, teams wait for their neighbours", both}},
      .takes_threads = true,
      .takes_device = true,
      .default_variant =
          [](const Problem& problem, const Options& options) {
            return openmp_target::fastest_variant(problem, options.precision,
                                                  openmp_target::choose_device(options.device));
          },
      .devices = openmp_target::list_devices,
      .make =
          [](const Options& options) {
            return openmp_target::make_model(options.variant, options.precision,
                                             openmp_target::choose_device(options.device), options.threads);
          },
      .make_stream =
          [](const Options& options) {
            return openmp_target::make_stream(options.precision, openmp_target::choose_device(options.device),
                                              options.threads);
          },
  };
  return run_main(argc, argv, backend);
}
