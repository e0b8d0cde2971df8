// Textbook: three loops, as the product is defined, straight in memory. The published "sequential" step.
//
//     c[i][j] += a[i][k] * b[k][j]
//
// The innermost loop goes down a column of B: a new line, and for large N a new page, with every step.
#include "common/matmul/host_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
class Textbook : public HostMultiplier<T> {
 public:
  void multiply() override {
    const auto [m, n, depth] = shape_;
    const T *const a = a_.data(), *const b = b_.data();
    T* const c = c_.data();
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        c[i * n + j] = 0;
        for (std::int64_t k = 0; k < depth; ++k) c[i * n + j] += a[i * depth + k] * b[k * n + j];
      }
  }

  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = this->bytes_without_reuse(),
                             .traffic = this->traffic().rows_of_b(this->workers()).lines_of_b().sets()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;
};

}  // namespace

extern const matmul::Variant textbook = textbook_of<Multiplier, Textbook>("three loops as the product is defined");

}  // namespace boltzmark::serial
