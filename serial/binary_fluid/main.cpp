// binary-fluid-serial.
#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/binary_fluid/original.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
namespace {
using namespace binary_fluid;

/// The collision of each site, one after another, as the code that targetDP began from has it.
const Variant original = original_variant(made_of<Fluid, OriginalFluid>);

const auto layer =
    layer_variants([](const Rung& rung, const Options& asked) { return make_host_fluid(rung, asked.precision); });

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu<binary_fluid::Variant>(argc, argv, "serial", "A binary fluid on one core", BOLTZMARK_BUILD_INFO,
                                           variants_of(original, layer), nullptr, Tuned::yes);
}
