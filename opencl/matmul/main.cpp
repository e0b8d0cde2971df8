// matmul-opencl: the published ladder on an OpenCL device, and where it leads.
#include "opencl/matmul/multiplier.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Rung& rung : all_rungs())
    variants.push_back(
        {.name = rung.name, .summary = rung.summary, .options = rung.options(), .role = rung.role});
  return variants;
}

std::vector<ModelOption> options() {
  std::vector<ModelOption> options = {device_option(), work_group_option()};
  for (const ModelOption& option : tile_options()) options.push_back(option);
  options.push_back(compiler_option());
  options.push_back(no_cache_option());
  return options;
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  matmul::Program program;
  program.model = "opencl";
  program.summary = "Matrix multiplication on an OpenCL device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = opencl::variants();
  program.options = opencl::options();
  program.devices = opencl::list_devices;
  program.device_limits = opencl::device_limits;
  program.default_variant = [](const Options& options) {
    return opencl::default_rung(opencl::choose_device(options.text("device")).type);
  };
  program.make = opencl::make_multiplier;
  return matmul::run_program(argc, argv, program);
}
