#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/heat/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  heat::Program program;
  program.model = "openmp";
  program.summary = "The heat equation on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "published form: two loops over threads, to a work array and back",
                       .role = Role::textbook},
                      {.name = "swapped", .summary = "one loop over threads, and the two arrays exchanged"},
                      {.name = "vectors",
                       .summary = "the same in vectors, all steps in one region",
                       .options = {"vvl"},
                       .role = Role::like_for_like},
                      {.name = "wavefront",
                       .summary = "several steps in one sweep over the rows",
                       .options = {"vvl", "time-block"}}};
  program.options = {threads_option("what the runtime says"), vector_length_option(),
                     time_block_option({"4", "8", "12", "16", "24", "32"})};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const Options&) { return "wavefront"; };
  program.make = [](const Options& options) {
    const auto threads = options.number("threads"), lanes = options.number("vvl");
    if (options.variant == "textbook") return openmp::make_textbook(options.precision, threads);
    if (options.variant == "swapped") return openmp::make_swapped(options.precision, threads);
    if (options.variant == "vectors") return openmp::make_vectors(options.precision, threads, lanes);
    return openmp::make_wavefront(options.precision, threads, lanes, options.number("time-block"));
  };
  return heat::run_program(argc, argv, program);
}
