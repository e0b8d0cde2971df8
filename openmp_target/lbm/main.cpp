#include "openmp_target/lbm/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  const auto device_of = [](const Options& options) {
    return openmp_target::choose_device(options.text("device"));
  };
  lbm::Program program;
  program.model = "openmp_target";
  program.summary = "D2Q9 and D3Q19 BGK lattice Boltzmann in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook",
       .summary = "mapped arrays, one loop nest per step and the compiler's reduction, as published",
       .role = Role::textbook,
       .kinds = {lbm::D3Q19::name}},
      {.name = "fused",
       .summary = "structure of arrays, two grids, one region per step, sums kept on the device",
       .role = Role::like_for_like,
       .kinds = {lbm::D3Q19::name}},
      {.name = "in-place",
       .summary = "one grid, updated in place, one region per step",
       .kinds = {lbm::D3Q19::name}},
      {.name = "persistent",
       .summary = "one grid, many steps per region, teams wait for their neighbours",
       .kinds = {lbm::D3Q19::name}}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [device_of](const lbm::Problem& problem, const Options& options) {
    return openmp_target::fastest_variant(problem, options.precision, device_of(options));
  };
  program.make = [device_of](const lbm::Problem& problem, const Options& options) {
    const auto threads = options.number("threads");
    if (options.variant == "textbook")
      return openmp_target::make_textbook(problem, options.precision, device_of(options), threads);
    return openmp_target::make_solver(problem, options.variant, options.precision, device_of(options),
                                      threads);
  };
  return lbm::run_program(argc, argv, program);
}
