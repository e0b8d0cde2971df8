#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/matmul/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  matmul::Program program;
  program.model = "openmp";
  program.summary = "Matrix multiplication on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "three loops as the product is defined, the outer one over threads",
                       .role = Role::textbook},
                      {.name = "packed",
                       .summary = "packed panels and a micro-kernel in vector registers",
                       .options = {"vvl"},
                       .role = Role::like_for_like},
                      {.name = "openblas",
                       .summary = "the library OpenBLAS on as many threads: the peer",
                       .role = Role::peer}};
  program.options = {threads_option("what the runtime says"), vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const Options&) { return "packed"; };
  program.make = [](const Options& options) {
    const auto threads = options.number("threads");
    if (options.variant == "textbook") return openmp::make_textbook(options.precision, threads);
    if (options.variant == "openblas") return openmp::make_openblas(options.precision, threads);
    return openmp::make_packed(options.precision, threads, options.number("vvl"));
  };
  return matmul::run_program(argc, argv, program);
}
