// A workload of the layer on this processor, for the models that run there. Compiled for each workload, LAYER_HEADER
// and LAYER_NAMESPACE, and each BOLTZMARK_REAL, float and double.
#include "common/target/host_target.hpp"
#include "common/target/on_target.hpp"

// After all others: its words are macros.
#include LAYER_HEADER

namespace boltzmark::target {

template <class T>
std::unique_ptr<Run> make_host_run_of(const Rung& rung, std::optional<int> vvl, const Workers& workers,
                                      const Share& share) {
  using Target = HostTarget<T>;
  return std::make_unique<RunOn<LAYER_NAMESPACE::Code, Target>>(
      rung.form, [=](const Lattice& lattice) { return std::make_unique<Target>(lattice, workers, vvl); }, share);
}
template std::unique_ptr<Run> make_host_run_of<BOLTZMARK_REAL>(const Rung&, std::optional<int>, const Workers&,
                                                               const Share&);

}  // namespace boltzmark::target
