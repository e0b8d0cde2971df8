// reduce-openmp-target: an array that an offload device reduces.
#include "openmp_target/reduce/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  reduce::Program program;
  program.model = "openmp_target";
  program.summary = "Reduction of an array in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "one loop over teams and threads with a reduction clause",
                       .role = Role::textbook},
                      {.name = "vectors",
                       .summary = "eight vectors at a time on each thread, and a region for what they leave",
                       .role = Role::like_for_like}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) {
    const auto make =
        options.variant == "textbook" ? openmp_target::make_textbook : openmp_target::make_vectors;
    return make(openmp_target::choose_device(options.text("device")), options.number("threads"));
  };
  return reduce::run_program(argc, argv, program);
}
