// A workload of the layer on this processor, for the models that run there. Compiled for each workload, LAYER_HEADER and
// LAYER_NAMESPACE, and each BOLTZMARK_REAL, float and double.
#include "common/run/provenance.hpp"
#include "common/target/host_target.hpp"
#include "common/target/on_target.hpp"

// After all others: its words are macros.
#include LAYER_HEADER

namespace boltzmark::target {
namespace {

template <class T>
class HostRun final : public OnTarget<LAYER_NAMESPACE::Code, HostTarget<T>> {
 public:
  using OnTarget<LAYER_NAMESPACE::Code, HostTarget<T>>::OnTarget;

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
std::unique_ptr<Run> make_host_run_of(const Rung& rung, std::optional<int> vvl, const Workers& workers,
                                      const Share& share) {
  return std::make_unique<HostRun<T>>(
      rung.form, [=](const Lattice& lattice) { return std::make_unique<HostTarget<T>>(lattice, workers, vvl); }, share);
}
template std::unique_ptr<Run> make_host_run_of<BOLTZMARK_REAL>(const Rung&, std::optional<int>, const Workers&,
                                                               const Share&);

}  // namespace boltzmark::target
