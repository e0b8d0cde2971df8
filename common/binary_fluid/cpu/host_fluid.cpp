// Compiled for each BOLTZMARK_REAL, float and double.
#include "common/binary_fluid/cpu/host_fluid.hpp"

#include "common/run/provenance.hpp"
#include "common/target/host_target.hpp"

// After all others: its words are macros.
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::binary_fluid {
namespace {

template <class T>
class HostFluid final : public TargetFluid<target::HostTarget<T>> {
 public:
  using Target = target::HostTarget<T>;

  HostFluid(const Rung& rung, const target::Workers& workers, const Share& share)
      : TargetFluid<Target>(
            rung.form,
            [=](const target::Lattice& lattice) { return std::make_unique<Target>(lattice, workers, rung.vvl); },
            share) {}

  RunFacts facts() const override {
    RunFacts facts = this->with_work({.device = cpu_name(),
                                      .driver = this->share().driver,
                                      .threads = this->target().threads(),
                                      .ranks = this->share().ranks});
    facts.write_allocate = this->target().vvl() * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }
};

}  // namespace

template <class T>
std::unique_ptr<Fluid> make_host_fluid_of(const Rung& rung, const target::Workers& workers, const Share& share) {
  return std::make_unique<HostFluid<T>>(rung, workers, share);
}
template std::unique_ptr<Fluid> make_host_fluid_of<BOLTZMARK_REAL>(const Rung&, const target::Workers&, const Share&);

}  // namespace boltzmark::binary_fluid
