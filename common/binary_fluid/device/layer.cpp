// The variants written in common/target's layer, on a device.
#include "common/binary_fluid/device/binary_fluid.hpp"
#include "common/device/device_target.hpp"

// After all others: its words are macros.
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::binary_fluid {

using namespace device;

extern const std::string_view fluid_source;

namespace {

template <class T>
class DeviceFluid final : public TargetFluid<DeviceTarget<T>> {
 public:
  using Target = DeviceTarget<T>;

  DeviceFluid(Form form, const TargetPlan& plan)
      : TargetFluid<Target>(form,
                            [plan](const target::Lattice& lattice) { return std::make_unique<Target>(plan, lattice); }),
        device_(plan.device) {}

  std::string shortage(double bytes) override { return shortage_on(device_, bytes); }

  RunFacts facts() const override {
    RunFacts facts = this->with_work(this->target().facts());
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

ProgramOf<Variant> device_program(const BuildInfo& build) {
  auto program = program_of<Variant>("A binary fluid", build);
  program.variants =
      variants_of(original_on_device, layer_variants(
                                          [](const Rung& rung, const Options& asked) -> std::unique_ptr<Fluid> {
                                            TargetPlan plan = TargetPlan::of(device_for(asked), asked, fluid_source);
                                            if (rung.vvl) plan.vvl = *rung.vvl;
                                            if (asked.precision == Precision::f64)
                                              return std::make_unique<DeviceFluid<double>>(rung.form, plan);
                                            return std::make_unique<DeviceFluid<float>>(rung.form, plan);
                                          },
                                          TargetPlan::layer_options()));
  return program;
}

}  // namespace boltzmark::binary_fluid
