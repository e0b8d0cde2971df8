// A workload of common/target's layer in target regions. Compiled for each workload: LAYER_KERNELS, what its kernels
// are, LAYER_HEADER, which of them runs when, and LAYER_NAMESPACE.
#include <cmath>

#include "openmp_target/runtime/offload_target.hpp"

#include "common/target/on_target.hpp"

// After all others: its words are macros.
#pragma omp begin declare target
#include LAYER_KERNELS
#pragma omp end declare target
#include LAYER_HEADER

namespace boltzmark::openmp_target {
namespace {

template <class T>
class OffloadRun final : public target::OnTarget<LAYER_NAMESPACE::Code, OffloadTarget<T>> {
 public:
  using Target = OffloadTarget<T>;

  OffloadRun(const target::Rung& rung, const Options& asked)
      : target::OnTarget<LAYER_NAMESPACE::Code, Target>(
            rung.form, [=, vvl = rung.has_vvl ? asked.number("vvl") : 1](
                           const target::Lattice& lattice) { return std::make_unique<Target>(asked, vvl, lattice); }),
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

std::unique_ptr<target::Run> make_layer(const target::Rung& rung, const Options& asked) {
  if (asked.precision == Precision::f64) return std::make_unique<OffloadRun<double>>(rung, asked);
  return std::make_unique<OffloadRun<float>>(rung, asked);
}

}  // namespace boltzmark::openmp_target
