#include "openmp_target/matmul/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  matmul::Program program;
  program.model = "openmp_target";
  program.summary = "Matrix multiplication in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "the loops as the product is defined, over teams and threads",
                       .role = Role::textbook},
                      {.name = "tiled",
                       .summary = "tiles of C in the registers of each thread",
                       .role = Role::like_for_like}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [](const Options&) { return "tiled"; };
  program.make = [](const Options& options) {
    const auto make =
        options.variant == "textbook" ? openmp_target::make_textbook : openmp_target::make_tiled;
    return make(options.precision, openmp_target::choose_device(options.text("device")),
                options.number("threads"));
  };
  return matmul::run_program(argc, argv, program);
}
