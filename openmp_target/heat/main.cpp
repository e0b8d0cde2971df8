#include "openmp_target/heat/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  heat::Program program;
  program.model = "openmp_target";
  program.summary = "The heat equation in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "two loops over teams and threads, to a work array and back",
                       .role = Role::textbook},
                      {.name = "swapped",
                       .summary = "one loop, and the two grids change places",
                       .role = Role::like_for_like}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [](const Options&) { return "swapped"; };
  program.make = [](const Options& options) {
    const auto make =
        options.variant == "textbook" ? openmp_target::make_textbook : openmp_target::make_swapped;
    return make(options.precision, openmp_target::choose_device(options.text("device")),
                options.number("threads"));
  };
  return heat::run_program(argc, argv, program);
}
