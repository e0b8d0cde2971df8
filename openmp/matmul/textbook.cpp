// Textbook: the three loops of the definition, the outer one spread over threads.
//
//     c[i][j] += a[i][k] * b[k][j]
#include "common/matmul/host_multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

template <class T>
class Textbook : public OnThreads<HostMultiplier<T>> {
 public:
  using OnThreads<HostMultiplier<T>>::OnThreads;

  void multiply() override {
    const auto m = shape_.m, n = shape_.n, depth = shape_.k;
    const T *const a = a_.data(), *const b = b_.data();
    T* const c = c_.data();
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  }

  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = this->bytes_without_reuse(),
                             .traffic = this->traffic().rows_of_b(this->workers()).sets()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;
  using OnThreads<HostMultiplier<T>>::threads_;
};

}  // namespace

extern const matmul::Variant textbook =
    textbook_of<Multiplier, Textbook>("three loops as the product is defined, the outer one over threads");

}  // namespace boltzmark::openmp
