// The variants written in common/target's layer.
#include <cmath>

#include "openmp_target/runtime/offload_target.hpp"

#include "common/binary_fluid/fluid.hpp"
#include "common/target/share.hpp"

// After all others: its words are macros.
#pragma omp begin declare target
#include "common/binary_fluid/step.h"
#pragma omp end declare target
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::openmp_target {
using namespace binary_fluid;
namespace {

template <class T>
class OffloadFluid final : public TargetFluid<OffloadTarget<T>> {
 public:
  using Target = OffloadTarget<T>;

  OffloadFluid(const Rung& rung, const Options& asked)
      : TargetFluid<Target>(
            rung.form,
            [=](const target::Lattice& lattice) { return std::make_unique<Target>(asked, rung.vvl, lattice); }),
        device_(choose_device(asked.text("device"))) {}

  std::string shortage(double bytes) override { return shortage_on(device_, bytes, true); }

  RunFacts facts() const override {
    RunFacts facts = this->with_work(this->target().facts());
    facts.write_allocate = !device_.properties.is_gpu() && this->target().vvl() * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }

 private:
  OffloadDevice device_;
};

}  // namespace

extern const std::vector<Variant> layer =
    layer_variants([](const Rung& rung, const Options& asked) -> std::unique_ptr<Fluid> {
      if (asked.precision == Precision::f64) return std::make_unique<OffloadFluid<double>>(rung, asked);
      return std::make_unique<OffloadFluid<float>>(rung, asked);
    });

}  // namespace boltzmark::openmp_target
