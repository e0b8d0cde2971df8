// OpenBLAS on one thread: the peer.
#include "common/matmul/cpu/openblas.hpp"
#include "common/matmul/host_multiplier.hpp"
#include "common/run/provenance.hpp"
#include "serial/matmul/variants.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
class OpenBlasPeer : public HostMultiplier<T> {
 public:
  void multiply() override { library_.multiply(shape_, a_.data(), b_.data(), c_.data()); }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    return {
        .device = cpu_name(), .driver = library_.configuration(), .bytes_per_update = this->bytes_at_least()};
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;

  OpenBlas library_{1};
};

}  // namespace

std::unique_ptr<Multiplier> make_openblas(Precision precision) {
  return make_multiplier<OpenBlasPeer>(precision);
}

}  // namespace boltzmark::serial
