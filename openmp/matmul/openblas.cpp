// OpenBLAS on as many threads: the peer. Its threads are its own; OpenMP's only fill the matrices.
#include "common/matmul/cpu/openblas.hpp"

#include "common/matmul/host_multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

template <class T>
class OpenBlasPeer : public HostMultiplier<T> {
 public:
  explicit OpenBlasPeer(const Options& asked) : threads_(check_threads(asked.number("threads"))), library_(threads_) {}

  void multiply() override { library_.multiply(shape_, a_.data(), b_.data(), c_.data()); }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    return {.device = cpu_name(),
            .driver = library_.configuration(),
            .threads = threads_,
            .bytes_per_update = this->bytes_at_least()};
  }

 private:
  void on_workers(const typename HostMultiplier<T>::Work& work) override {
#pragma omp parallel num_threads(threads_)
    work(omp_get_thread_num(), threads_);
  }

  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;

  int threads_;
  OpenBlas library_;
};

}  // namespace

extern const matmul::Variant openblas = {.name = "openblas",
                                         .summary = "the library OpenBLAS on as many threads: the peer",
                                         .role = Role::peer,
                                         .make = made_of<Multiplier, OpenBlasPeer>};

}  // namespace boltzmark::openmp
