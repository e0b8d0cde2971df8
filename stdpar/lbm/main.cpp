#include "common/run/cpu_device.hpp"
#include "stdpar/lbm/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  lbm::Program program;
  program.model = "stdpar";
  program.summary = "D2Q9 and D3Q19 BGK lattice Boltzmann in the parallel algorithms of standard C++";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook",
       .summary = "array of structs, one algorithm per function, a transform_reduce for the average velocity",
       .role = Role::textbook,
       .kinds = {lbm::D3Q19::name}},
      {.name = "fused",
       .summary = "structure of arrays, two grids, one transform_reduce over rows, or planes, per step",
       .role = Role::like_for_like,
       .kinds = {lbm::D3Q19::name}},
      {.name = "in-place",
       .summary = "one grid, updated where it lies, one transform_reduce over rows per step",
       .options = {"vvl"},
       .kinds = {lbm::D3Q19::name}}};
  program.options = {vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const lbm::Problem&, const Options&) { return "in-place"; };
  program.make = [](const lbm::Problem& problem, const Options& options) {
    if (options.variant == "textbook") return stdpar::make_textbook(problem, options.precision);
    if (options.variant == "fused") return stdpar::make_fused(problem, options.precision);
    return stdpar::make_in_place(problem, options.precision, options.number("vvl"));
  };
  return lbm::run_program(argc, argv, program);
}
