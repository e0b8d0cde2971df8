// heat-opencl and heat-cuda: the published ladder on a device, and where it leads.
#include <fmt/format.h>

#include "opencl/heat/solver.hpp"
#include "opencl/runtime/options.hpp"

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
  program.model = model::model_name;
  program.summary = fmt::format("The heat equation on a device of {}", model::api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = model::variants();
  program.options = {device_option(),
                     work_group_option(),
                     vector_length_option(),
                     model::rows_option(),
                     time_block_option({"2", "4", "6", "8", "12", "16"}),
                     model::delay_option(),
                     model::compiler_option(),
                     model::no_cache_option()};
  program.devices = model::list_devices;
  program.device_limits = model::device_limits;
  program.default_variant = [](const Options& options) {
    return model::default_way(model::choose_device(options.text("device")).type);
  };
  program.make = model::make_solver;
  return heat::run_program(argc, argv, program);
}
