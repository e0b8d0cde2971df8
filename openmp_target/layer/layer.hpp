// A workload of common/target's layer in target regions, in LAYER_SCALARs, made by LAYER_MAKE: the whole of f32.cpp and
// f64.cpp, which are compiled for each workload: LAYER_KERNELS, what its kernels are, LAYER_HEADER, which of them runs
// when, and LAYER_NAMESPACE.

#include "openmp_target/runtime/offload_target.hpp"

#include "common/target/on_target.hpp"

// After all others: its words are macros.
#pragma omp begin declare target
#include LAYER_KERNELS
#pragma omp end declare target
#include LAYER_HEADER

namespace boltzmark::openmp_target {

std::unique_ptr<target::Run> LAYER_MAKE(const target::Rung& rung, const Options& asked) {
  using Target = OffloadTarget<LAYER_SCALAR>;
  target::Share share;
  share.shortage = [device = choose_device(asked.text("device"))](double bytes, double) {
    return shortage_on(device, bytes, true);
  };
  return std::make_unique<target::RunOn<LAYER_NAMESPACE::Code, Target>>(
      rung.form,
      [asked, vvl = rung.has_vvl ? asked.number("vvl") : 1, items = rung.row_items](const target::Lattice& lattice) {
        return std::make_unique<Target>(asked, vvl, items, lattice);
      },
      share);
}

}  // namespace boltzmark::openmp_target
