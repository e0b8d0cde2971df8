#include "common/run/cpu_device.hpp"
#include "serial/lbm/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  lbm::Program program;
  program.model = "serial";
  program.summary = "D2Q9 and D3Q19 BGK lattice Boltzmann on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "array of structs, one loop per function: the baseline of every speed-up",
                       .role = Role::textbook,
                       .kinds = {lbm::D3Q19::name}},
                      {.name = "fused",
                       .summary = "structure of arrays, two grids, one vectorised pass per step",
                       .role = Role::like_for_like,
                       .kinds = {lbm::D3Q19::name}},
                      {.name = "in-place",
                       .summary = "one grid, updated where it lies, one pass per step",
                       .options = {"vvl"},
                       .kinds = {lbm::D3Q19::name}},
                      {.name = "wavefront",
                       .summary = "in place, several steps in one sweep over the rows, or planes",
                       .options = {"vvl", "time-block"},
                       .kinds = {lbm::D3Q19::name}}};
  program.options = {vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.default_variant = [](const lbm::Problem&, const Options&) { return "wavefront"; };
  program.make = [](const lbm::Problem& problem, const Options& options) {
    if (options.variant == "textbook") return serial::make_textbook(problem, options.precision);
    if (options.variant == "fused") return serial::make_fused(problem, options.precision);
    const auto make = problem.parameters.dimension == 2 ? serial::make_in_place : serial::make_in_place_3d;
    return make(options.precision, options.number("vvl"),
                options.variant == "in-place" ? 1 : options.number("time-block"));
  };
  return lbm::run_program(argc, argv, program);
}
