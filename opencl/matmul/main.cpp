// matmul-opencl: the published ladder on an OpenCL device, and where it leads.
#include "opencl/matmul/multiplier.hpp"
#include "opencl/matmul/peer.hpp"
#include "opencl/runtime/describe.hpp"

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
  std::vector<ModelOption> own = tile_options();
  own.insert(own.begin(), work_group_option());
  return device_options(own);
}

}  // namespace
}  // namespace boltzmark::BOLTZMARK_DEVICE_API

int main(int argc, char** argv) {
  using namespace boltzmark;
  namespace model = BOLTZMARK_DEVICE_API;
  matmul::Program program;
  model::describe(program, "Matrix multiplication");
  program.variants = model::variants();
  program.options = model::options();
  program.default_variant = [](const Options& options) {
    return model::default_rung(model::choose_device(options.text("device")));
  };
  program.make = [](const Options& options) {
    return options.variant == model::peer_variant().name ? model::make_peer(options)
                                                         : model::make_multiplier(options);
  };
  return matmul::run_program(argc, argv, program);
}
