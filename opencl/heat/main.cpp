// heat-opencl and heat-cuda: the published ladder on a device, and where it leads.
#include "opencl/heat/solver.hpp"
#include "opencl/runtime/describe.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Way& way : all_ways())
    variants.push_back({.name = way.name, .summary = way.summary, .options = way.options, .role = way.role});
  return variants;
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  heat::Program program;
  model::describe(program, "The heat equation");
  program.variants = model::variants();
  program.options =
      model::device_options({work_group_option(), vector_length_option(), model::rows_option(),
                             time_block_option({"2", "4", "6", "8", "12", "16"}), model::delay_option()});
  program.default_variant = [](const Options& options) {
    return model::default_way(model::choose_device(options.text("device")).type);
  };
  program.make = model::make_solver;
  return heat::run_program(argc, argv, program);
}
