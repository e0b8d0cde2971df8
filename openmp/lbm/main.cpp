#include <omp.h>

#include "common/run/cpu_device.hpp"
#include "openmp/advice.hpp"
#include "openmp/lbm/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  omp_set_dynamic(0);  // rows belong to threads, so their number must not change under way
  lbm::Program program;
  program.model = "openmp";
  program.summary = "D2Q9 and D3Q19 BGK lattice Boltzmann on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook",
       .summary = "array of structs, one parallel loop per function, a reduction for the average velocity",
       .role = Role::textbook,
       .kinds = {lbm::D3Q19::name}},
      {.name = "fused",
       .summary = "structure of arrays, two grids, one vectorised pass per step, rows divided over threads",
       .role = Role::like_for_like,
       .kinds = {lbm::D3Q19::name}},
      {.name = "in-place",
       .summary = "one grid, updated where it lies, one pass per step, rows divided over threads",
       .options = {"vvl"},
       .kinds = {lbm::D3Q19::name}},
      {.name = "wavefront",
       .summary = "in place, several steps in one sweep over a thread's rows",
       .options = {"vvl", "time-block"},
       .kinds = {lbm::D3Q19::name}}};
  program.options = {threads_option("what the runtime says"), vector_length_option(),
                     time_block_option({"1", "2", "4", "8", "16", "32", "64"})};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const lbm::Problem&, const Options&) { return "wavefront"; };
  program.make = [](const lbm::Problem& problem, const Options& options) {
    const auto threads = options.number("threads");
    if (options.variant == "textbook") return openmp::make_textbook(problem, options.precision, threads);
    if (options.variant == "fused") return openmp::make_fused(problem, options.precision, threads);
    const auto make = problem.parameters.dimension == 2 ? openmp::make_in_place : openmp::make_in_place_3d;
    return make(options.precision, threads, options.number("vvl"),
                options.variant == "in-place" ? 1 : options.number("time-block"));
  };
  return lbm::run_program(argc, argv, program);
}
