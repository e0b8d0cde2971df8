// The variants written in common/target's layer, on a device.
#include "opencl/binary_fluid/fluid.hpp"
#include "opencl/runtime/device_target.hpp"

// After all others: its words are macros.
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace binary_fluid;

extern const std::string_view fluid_source;

namespace {

template <class T>
class DeviceFluid final : public TargetFluid<DeviceTarget<T>> {
 public:
  using Target = DeviceTarget<T>;

  DeviceFluid(Form form, const TargetPlan& plan)
      : TargetFluid<Target>(
            form, [plan](const target::Lattice& lattice) { return std::make_unique<Target>(plan, lattice); }),
        device_(plan.device) {}

  std::string shortage(double bytes) override { return shortage_on(device_, bytes); }

  RunFacts facts() const override {
    const RunFacts work = this->work_facts();
    RunFacts facts = this->target().facts();
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    facts.settings.update(work.settings);
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  ComputeDevice device_;
};

}  // namespace

std::string shortage_on(const ComputeDevice& device, double bytes) {
  return device_shortage(device, bytes, bytes * populations / (2.0 * populations + surrounding_values + 3.0));
}

std::unique_ptr<Fluid> make_layer_fluid(const Options& options) {
  TargetPlan plan = TargetPlan::of(device_for(options), options, fluid_source);
  if (options.variant == "soa") plan.vvl = 1;
  const Form form = form_of(options.variant);
  if (options.precision == Precision::f64) return std::make_unique<DeviceFluid<double>>(form, plan);
  return std::make_unique<DeviceFluid<float>>(form, plan);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
