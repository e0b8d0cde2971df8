// A workload of the layer on a device, for any device API. Compiled for each workload, as
// common/target/cpu/host_run.cpp.
#include "common/device/device_target.hpp"
#include "common/target/on_target.hpp"

// After all others: its words are macros.
#include LAYER_HEADER

namespace boltzmark::LAYER_NAMESPACE {
extern const std::string_view kernels_source;
}

namespace boltzmark::target {
using namespace device;
namespace {

template <class T>
std::unique_ptr<Run> run_of(const Rung& rung, const TargetPlan& plan) {
  using Target = DeviceTarget<T>;
  Share share;
  share.shortage = [device = plan.device](double bytes, double largest) {
    return device_shortage(device, bytes, largest);
  };
  return std::make_unique<RunOn<LAYER_NAMESPACE::Code, Target>>(
      rung.form, [plan](const Lattice& lattice) { return std::make_unique<Target>(plan, lattice); }, share);
}

std::unique_ptr<Run> make_run(const Rung& rung, const Options& asked) {
  TargetPlan plan = TargetPlan::of(device_for(asked), asked, LAYER_NAMESPACE::kernels_source);
  if (!rung.has_vvl) plan.vvl = 1;
  plan.defines = rung.defines;
  plan.row_items = rung.row_items;
  return asked.precision == Precision::f64 ? run_of<double>(rung, plan) : run_of<float>(rung, plan);
}

}  // namespace

ProgramOf<Variant> device_program() {
  auto program = program_of<Variant>();
  program.variants = variants(make_run, TargetPlan::layer_options());
  program.default_variant = [](const Options& asked) {
    return usual_variant(device_for(asked).type != DeviceType::cpu);
  };
  return program;
}

}  // namespace boltzmark::target
