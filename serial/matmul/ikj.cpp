// ikj: the textbook's loops in another order, so that the innermost one goes along rows, and compilers make vectors of
// it.
//
//     row i of C += a[i][k] * row k of B
#include <algorithm>

#include "common/matmul/host_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
class Ikj : public HostMultiplier<T> {
 public:
  void multiply() override {
    const auto [m, n, depth] = shape_;
    for (std::int64_t i = 0; i < m; ++i) {
      T* const __restrict c = c_.data() + i * n;
      std::fill(c, c + n, T(0));
      for (std::int64_t k = 0; k < depth; ++k) {
        const T a = a_.data()[i * depth + k];
        const T* const __restrict b = b_.data() + k * n;
        for (std::int64_t j = 0; j < n; ++j) c[j] += a * b[j];
      }
    }
  }

  RunFacts facts() const override {
    return this->on_machine(
        {.bytes_per_update = this->bytes_by_rows(), .traffic = this->traffic().rows_of_b(this->workers()).sets()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;
};

}  // namespace

extern const matmul::Variant ikj = {
    .name = "ikj", .summary = "the same with the innermost loop along rows", .make = made_of<Multiplier, Ikj>};

}  // namespace boltzmark::serial
