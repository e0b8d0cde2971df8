#include "common/run/cpu_device.hpp"
#include "serial/heat/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  heat::Program program;
  program.model = "serial";
  program.summary = "The heat equation on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "two loops: to a work array, and back with the sum of changes",
                       .role = Role::textbook},
                      {.name = "swapped", .summary = "one loop, and the two arrays exchanged"},
                      {.name = "vectors",
                       .summary = "the same in vectors, past the caches where they are too small",
                       .options = {"vvl"},
                       .role = Role::like_for_like},
                      {.name = "wavefront",
                       .summary = "several steps in one sweep over the rows",
                       .options = {"vvl", "time-block"}}};
  program.options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const Options&) { return "wavefront"; };
  program.make = [](const Options& options) {
    const auto lanes = options.number("vvl");
    if (options.variant == "textbook") return serial::make_textbook(options.precision);
    if (options.variant == "swapped") return serial::make_swapped(options.precision);
    if (options.variant == "vectors") return serial::make_vectors(options.precision, lanes);
    return serial::make_wavefront(options.precision, lanes, options.number("time-block"));
  };
  return heat::run_program(argc, argv, program);
}
