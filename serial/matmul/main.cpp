#include "common/run/cpu_device.hpp"
#include "serial/matmul/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  matmul::Program program;
  program.model = "serial";
  program.summary = "Matrix multiplication on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "three loops as the product is defined", .role = Role::textbook},
      {.name = "ikj", .summary = "the same with the innermost loop along rows"},
      {.name = "blocked", .summary = "ikj over blocks of B that stay in cache"},
      {.name = "packed",
       .summary = "packed panels and a micro-kernel in vector registers",
       .options = {"vvl"},
       .role = Role::like_for_like},
      {.name = "openblas", .summary = "the library OpenBLAS on one thread: the peer", .role = Role::peer}};
  program.options = {vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const Options&) { return "packed"; };
  program.make = [](const Options& options) {
    if (options.variant == "textbook") return serial::make_textbook(options.precision);
    if (options.variant == "ikj") return serial::make_ikj(options.precision);
    if (options.variant == "blocked") return serial::make_blocked(options.precision);
    if (options.variant == "openblas") return serial::make_openblas(options.precision);
    return serial::make_packed(options.precision, options.number("vvl"));
  };
  return matmul::run_program(argc, argv, program);
}
