// Textbook: the three loops of the definition, the outer one spread over threads.
//
//     c[i][j] += a[i][k] * b[k][j]
#include "openmp/matmul/threaded_multiplier.hpp"
#include "openmp/matmul/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook : public ThreadedMultiplier<T> {
 public:
  using ThreadedMultiplier<T>::ThreadedMultiplier;

  void multiply() override {
    const auto m = shape_.m, n = shape_.n, depth = shape_.k;
    const T *const a = a_.data(), *const b = b_.data();
    T* const c = c_.data();
#pragma omp parallel for num_threads(team_.size())
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  }

  RunFacts facts() const override { return this->facts_with(this->bytes_without_reuse()); }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;
  using ThreadedMultiplier<T>::team_;
};

}  // namespace

std::unique_ptr<Multiplier> make_textbook(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>(threads);
  return std::make_unique<Textbook<float>>(threads);
}

}  // namespace boltzmark::openmp
