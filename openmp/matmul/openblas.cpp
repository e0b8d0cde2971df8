// OpenBLAS on as many threads: the peer. The threads are its own.
#include "common/matmul/cpu/openblas.hpp"

#include "openmp/matmul/threaded_multiplier.hpp"
#include "openmp/matmul/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class OpenBlasPeer : public ThreadedMultiplier<T> {
 public:
  explicit OpenBlasPeer(std::optional<int> threads)
      : ThreadedMultiplier<T>(threads), library_(this->team_.size()) {}

  void multiply() override { library_.multiply(shape_, a_.data(), b_.data(), c_.data()); }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    RunFacts facts = this->facts_with(this->bytes_at_least());
    facts.driver = library_.configuration();
    return facts;
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;

  OpenBlas library_;
};

}  // namespace

std::unique_ptr<Multiplier> make_openblas(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<OpenBlasPeer<double>>(threads);
  return std::make_unique<OpenBlasPeer<float>>(threads);
}

}  // namespace boltzmark::openmp
