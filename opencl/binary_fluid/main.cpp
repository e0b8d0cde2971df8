// binary-fluid-opencl and binary-fluid-cuda.
#include "common/target/kernel.hpp"
#include "opencl/binary_fluid/fluid.hpp"
#include "opencl/runtime/describe.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  binary_fluid::Program program;
  model::describe(program, "A binary fluid");
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, a work-item for every site; array of structures",
       .options = {"work-group"},
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : binary_fluid::layer_variants({"work-group"}))
    program.variants.push_back(variant);
  program.options = model::device_options({work_group_option(), target::vvl_option()});
  program.make = [](const Options& options) {
    return options.variant == "original" ? model::make_original(options) : model::make_layer_fluid(options);
  };
  return binary_fluid::run_program(argc, argv, program);
}
