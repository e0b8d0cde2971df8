// What host_fluid_f32.cpp and host_fluid_f64.cpp compile.
#pragma once

#include "common/binary_fluid/cpu/host_fluids.hpp"
#include "common/run/provenance.hpp"
#include "common/target/host_target.hpp"

// After all others: its words are macros.
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::binary_fluid {

template <class T>
class HostFluid final : public TargetFluid<target::HostTarget<T>> {
 public:
  using Target = target::HostTarget<T>;

  explicit HostFluid(const HostWay& way)
      : TargetFluid<Target>(
            way.form,
            [way](const target::Lattice& lattice) {
              return std::make_unique<Target>(lattice, way.workers, way.vvl);
            },
            way.share),
        shortage_(way.share.shortage) {}

  std::string shortage(double bytes) override { return shortage_(bytes); }

  RunFacts facts() const override {
    RunFacts facts = this->work_facts();
    facts.device = cpu_name();
    facts.threads = this->target().threads();
    facts.write_allocate = this->target().vvl() * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }

 private:
  std::function<std::string(double)> shortage_;
};

}  // namespace boltzmark::binary_fluid
