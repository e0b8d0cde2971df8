#include "common/run/cpu_device.hpp"
#include "stdpar/heat/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  heat::Program program;
  program.model = "stdpar";
  program.summary = "The heat equation in the parallel algorithms of standard C++";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "two algorithms over rows, one a reduction", .role = Role::textbook},
      {.name = "vectors",
       .summary = "one reduction over stretches of rows, updated in vectors",
       .options = {"vvl"},
       .role = Role::like_for_like}};
  program.options = {vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) {
    if (options.variant == "textbook") return stdpar::make_textbook(options.precision);
    return stdpar::make_vectors(options.precision, options.number("vvl"));
  };
  return heat::run_program(argc, argv, program);
}
