#include "common/cpu_device.hpp"
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
                   {"fused", "structure of arrays, two grids, one vectorised pass a step", both}},
      .default_variant = [](const Problem&, const Options&) { return "fused"; },
      .devices = cpu_devices,
      .make =
          [](const Options& options) {
            return options.variant == "textbook" ? serial::make_textbook(options.precision)
                                                 : serial::make_fused(options.precision);
          },
      .make_stream = [](const Options& options) { return serial::make_stream(options.precision); },
  };
  return run_main(argc, argv, backend);
}
