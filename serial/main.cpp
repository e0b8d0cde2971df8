#include "common/cpu/cpu_device.hpp"
#include "serial/models.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  const std::vector<Precision> both = {Precision::f32, Precision::f64};
  const Backend backend = {
      .name = "serial",
      .summary = "D2Q9-BGK lattice Boltzmann on one core",
      .build = BOLTZMARK_BUILD_INFO,
      .variants = {{"textbook", "array of structs, one loop per function: the baseline of every speed-up",
                    both},
                   {"fused", "structure of arrays, two grids, one vectorised pass a step", both},
                   {.name = "in-place",
                    .summary = "one grid, updated where it lies, one pass a step",
                    .precisions = both,
                    .takes_vvl = true},
                   {.name = "wavefront",
                    .summary = "in place, several steps in one sweep over the rows",
                    .precisions = both,
                    .takes_vvl = true,
                    .takes_time_block = true,
                    .time_blocks = {1, 2, 4, 8, 16, 32, 64}}},
      .default_variant = [](const Problem&, const Options&) { return "wavefront"; },
      .devices = cpu_devices,
      .device_limits = cpu_limits,
      .make =
          [](const Options& options) {
            if (options.variant == "textbook") return serial::make_textbook(options.precision);
            if (options.variant == "fused") return serial::make_fused(options.precision);
            return serial::make_in_place(options.precision, options.vvl,
                                         options.variant == "in-place" ? 1 : options.time_block);
          },
      .make_stream = [](const Options& options) { return serial::make_stream(options.precision); },
  };
  return run_main(argc, argv, backend);
}
