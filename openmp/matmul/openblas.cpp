// OpenBLAS on as many threads: the peer. Its threads are its own; OpenMP's only fill the matrices.
#include "common/matmul/cpu/openblas.hpp"

#include "common/matmul/host_multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

template <class T>
class OpenBlasPeer : public OnThreads<HostMultiplier<T>> {
 public:
  explicit OpenBlasPeer(const Options& asked)
      : OnThreads<HostMultiplier<T>>(asked, Unbound{}), library_(this->threads_) {}

  void multiply() override { library_.multiply(shape_, a_.data(), b_.data(), c_.data()); }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    return this->on_machine({.driver = library_.configuration(), .bytes_per_update = this->bytes_at_least()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;

  OpenBlas library_;
};

}  // namespace

extern const matmul::Variant openblas = {.name = "openblas",
                                         .summary = "the library OpenBLAS on as many threads: the peer",
                                         .role = Role::peer,
                                         .make = made_of<Multiplier, OpenBlasPeer>};

}  // namespace boltzmark::openmp
