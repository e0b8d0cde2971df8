#include <omp.h>

#include "common/cpu/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/models.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  omp_set_dynamic(0);  // rows belong to threads, so their number must not change under way
  const std::vector<Precision> both = {Precision::f32, Precision::f64};
  const Backend backend = {
      .name = "openmp",
      .summary = "D2Q9-BGK lattice Boltzmann on the threads of one machine",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"fused",
                    "structure of arrays, two grids, one vectorised pass a step, rows dealt over threads",
                    both},
                   {.name = "in-place",
                    .summary = "one grid, updated where it lies, one pass a step, rows dealt over threads",
                    .precisions = both,
                    .takes_vvl = true},
                   {.name = "wavefront",
                    .summary = "in place, several steps in one sweep over a thread's rows",
                    .precisions = both,
                    .takes_vvl = true,
                    .takes_time_block = true,
                    .time_blocks = {1, 2, 4, 8, 16, 32, 64}}},
      .takes_threads = true,
      .default_variant = [](const Problem&, const Options&) { return "wavefront"; },
      .devices = cpu_devices,
      .device_limits = cpu_limits,
      .warning = [](const Options& options) { return openmp::thread_advice(options.threads); },
      .make =
          [](const Options& options) {
            if (options.variant == "fused") return openmp::make_fused(options.precision, options.threads);
            return openmp::make_in_place(options.precision, options.threads, options.vvl,
                                         options.variant == "in-place" ? 1 : options.time_block);
          },
      .make_stream =
          [](const Options& options) { return openmp::make_stream(options.precision, options.threads); },
  };
  return run_main(argc, argv, backend);
}
