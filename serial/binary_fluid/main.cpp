#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/run/cpu_device.hpp"
#include "common/target/kernel.hpp"
#include "serial/binary_fluid/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  binary_fluid::Program program;
  program.model = "serial";
  program.summary = "A binary fluid on one core";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, loops over 19 and 3 within a site; array of structures",
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : binary_fluid::layer_variants({})) program.variants.push_back(variant);
  program.options = {target::vvl_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.make = [](const Options& options) {
    if (options.variant == "original") return serial::make_original(options.precision);
    return binary_fluid::make_host_fluid(options, {});
  };
  return binary_fluid::run_program(argc, argv, program);
}
