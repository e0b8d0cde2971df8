#include "common/run/cpu_device.hpp"
#include "stdpar/matmul/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  matmul::Program program;
  program.model = "stdpar";
  program.summary = "Matrix multiplication in the parallel algorithms of standard C++";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "an algorithm over the rows of C", .role = Role::textbook},
      {.name = "packed",
       .summary = "packed panels and a micro-kernel in vector registers",
       .options = {"vvl"},
       .role = Role::like_for_like}};
  program.options = {vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const Options&) { return "packed"; };
  program.make = [](const Options& options) {
    if (options.variant == "textbook") return stdpar::make_textbook(options.precision);
    return stdpar::make_packed(options.precision, options.number("vvl"));
  };
  return matmul::run_program(argc, argv, program);
}
