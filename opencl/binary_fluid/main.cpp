// binary-fluid-opencl and binary-fluid-cuda.
#include <fmt/format.h>

#include "common/target/kernel.hpp"
#include "opencl/binary_fluid/fluid.hpp"
#include "opencl/runtime/options.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  binary_fluid::Program program;
  program.model = model::model_name;
  program.summary = fmt::format("A binary fluid on a device of {}", model::api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, a work-item for every site; array of structures",
       .options = {"work-group"},
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : binary_fluid::layer_variants({"work-group"}))
    program.variants.push_back(variant);
  program.options = {device_option(), work_group_option(), target::vvl_option(), model::compiler_option(),
                     model::no_cache_option()};
  program.devices = model::list_devices;
  program.device_limits = model::device_limits;
  program.make = [](const Options& options) {
    return options.variant == "original" ? model::make_original(options) : model::make_layer_fluid(options);
  };
  return binary_fluid::run_program(argc, argv, program);
}
