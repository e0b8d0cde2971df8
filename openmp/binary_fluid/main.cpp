#include <fmt/core.h>

#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/run/cpu_device.hpp"
#include "common/target/kernel.hpp"
#include "openmp/advice.hpp"
#include "openmp/binary_fluid/variants.hpp"
#include "openmp/thread_team.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  binary_fluid::Program program;
  program.model = "openmp";
  program.summary = "A binary fluid on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, loops over 19 and 3 within a site; array of structures",
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : binary_fluid::layer_variants({})) program.variants.push_back(variant);
  program.options = {threads_option("what the runtime says"), target::vvl_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.make = [](const Options& options) {
    const auto threads = options.number("threads");
    if (options.variant == "original") return openmp::make_original(options.precision, threads);
    const openmp::ThreadTeam team(threads);
    binary_fluid::Share everything;
    everything.driver = fmt::format("OpenMP {}", _OPENMP);
    return binary_fluid::make_host_fluid(
        options,
        {.count = team.size(), .run = [team](const std::function<void(int)>& work) { team.run(work); }},
        everything);
  };
  return binary_fluid::run_program(argc, argv, program);
}
