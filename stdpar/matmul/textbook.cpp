// Textbook: an algorithm over the rows of C; what happens in a row is ikj.
//
//     for_each row i   row i of C += a[i][k] * row k of B
#include <algorithm>
#include <execution>

#include "common/cpu/processors.hpp"
#include "common/matmul/host_multiplier.hpp"
#include "common/run/provenance.hpp"
#include "stdpar/counting.hpp"
#include "stdpar/matmul/variants.hpp"

namespace boltzmark::stdpar {
using namespace matmul;
namespace {

template <class T>
class Textbook : public HostMultiplier<T> {
 public:
  void multiply() override {
    std::for_each(
        std::execution::par_unseq, counting(0), counting(shape_.m),
        [n = shape_.n, depth = shape_.k, a = a_.data(), b = b_.data(), c = c_.data()](std::int64_t i) {
          T* const row = c + i * n;
          std::fill(row, row + n, T(0));
          for (std::int64_t k = 0; k < depth; ++k)
            for (std::int64_t j = 0; j < n; ++j) row[j] += a[i * depth + k] * b[k * n + j];
        });
  }

  /// A row of C stays in cache; all of B is read for it.
  RunFacts facts() const override {
    const auto k = static_cast<double>(shape_.k), n = static_cast<double>(shape_.n);
    return {.device = cpu_name(),
            .driver = library_name(),
            .threads = usable_cores(),
            .bytes_per_update = (k + k / n + 1.0) * sizeof(T)};
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;
};

}  // namespace

std::unique_ptr<Multiplier> make_textbook(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>();
  return std::make_unique<Textbook<float>>();
}

}  // namespace boltzmark::stdpar
