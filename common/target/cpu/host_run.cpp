// A workload of the layer on this processor, for the models that run there. Compiled for each workload, LAYER_HEADER
// and LAYER_NAMESPACE.
#include "common/target/host_target.hpp"
#include "common/target/on_target.hpp"

// After all others: its words are macros.
#include LAYER_HEADER

namespace boltzmark::target {

template <class T>
static std::unique_ptr<Run> make(const Rung& rung, std::optional<int> vvl, const Workers& workers, const Share& share) {
  using Target = HostTarget<T>;
  return std::make_unique<RunOn<LAYER_NAMESPACE::Code, Target>>(
      rung.form, [=](const Lattice& lattice) { return std::make_unique<Target>(lattice, workers, vvl); }, share);
}

std::unique_ptr<Run> make_host_run(const Rung& rung, const Options& asked, const Workers& workers, const Share& share) {
  const auto make_in = asked.precision == Precision::f64 ? make<double> : make<float>;
  return make_in(rung, rung.has_vvl ? asked.number("vvl") : 1, workers, share);
}

}  // namespace boltzmark::target
