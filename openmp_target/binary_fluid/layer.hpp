// What layer_f32.cpp and layer_f64.cpp compile: the variants written in common/target's layer.
#pragma once

#include <cmath>

#include "openmp_target/binary_fluid/variants.hpp"
#include "openmp_target/runtime/offload_target.hpp"

#include "common/binary_fluid/share.hpp"
#include "common/binary_fluid/start.hpp"

// After all others: its words are macros.
#pragma omp begin declare target
#include "common/binary_fluid/step.h"
#pragma omp end declare target
#include "common/binary_fluid/target_fluid.hpp"

namespace boltzmark::openmp_target {
using namespace binary_fluid;

template <class T>
class OffloadFluid final : public TargetFluid<OffloadTarget<T>> {
 public:
  using Target = OffloadTarget<T>;

  OffloadFluid(Form form, const OffloadDevice& device, std::optional<int> threads, std::optional<int> vvl)
      : TargetFluid<Target>(form,
                            [=](const target::Lattice& lattice) {
                              return std::make_unique<Target>(device, threads, vvl, lattice);
                            }),
        device_(device) {}

  std::string shortage(double bytes) override { return shortage_on(device_, bytes); }

  RunFacts facts() const override {
    const RunFacts work = this->work_facts();
    RunFacts facts = this->target().facts();
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    facts.settings.update(work.settings);
    facts.write_allocate =
        !device_.properties.is_gpu() && this->target().vvl() * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }

 private:
  OffloadDevice device_;
};

}  // namespace boltzmark::openmp_target
