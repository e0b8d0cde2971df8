// matmul-opencl: the published ladder on an OpenCL device, and where it leads.
#include <fmt/format.h>

#include "opencl/matmul/multiplier.hpp"
#include "opencl/matmul/peer.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

std::vector<Variant> variants() {
  std::vector<Variant> variants;
  for (const Rung& rung : all_rungs())
    variants.push_back(
        {.name = rung.name, .summary = rung.summary, .options = rung.options(), .role = rung.role});
  variants.push_back(peer_variant());
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
  namespace model = BOLTZMARK_DEVICE_API;
  matmul::Program program;
  program.model = model::model_name;
  program.summary = fmt::format("Matrix multiplication on a device of {}", model::api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = model::variants();
  program.options = model::options();
  program.devices = model::list_devices;
  program.device_limits = model::device_limits;
  program.default_variant = [](const Options& options) {
    return model::default_rung(model::choose_device(options.text("device")).type);
  };
  program.make = [](const Options& options) {
    return options.variant == model::peer_variant().name ? model::make_peer(options)
                                                         : model::make_multiplier(options);
  };
  return matmul::run_program(argc, argv, program);
}
