// Textbook: an algorithm over the rows of C; what happens in a row is ikj.
//
//     for_each row i   row i of C += a[i][k] * row k of B
#include <algorithm>
#include <execution>

#include "common/matmul/host_multiplier.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace matmul;
namespace {

template <class T>
class Textbook : public OnCores<HostMultiplier<T>> {
 public:
  void multiply() override {
    std::for_each(std::execution::par_unseq, counting(0), counting(shape_.m),
                  [n = shape_.n, depth = shape_.k, a = a_.data(), b = b_.data(), c = c_.data()](std::int64_t i) {
                    T* const row = c + i * n;
                    std::fill(row, row + n, T(0));
                    for (std::int64_t k = 0; k < depth; ++k)
                      for (std::int64_t j = 0; j < n; ++j) row[j] += a[i * depth + k] * b[k * n + j];
                  });
  }

  RunFacts facts() const override {
    return this->on_machine(
        {.bytes_per_update = this->bytes_by_rows(), .traffic = this->traffic().rows_of_b(this->workers()).sets()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;
};

}  // namespace

extern const matmul::Variant textbook = textbook_of<Multiplier, Textbook>("an algorithm over the rows of C");

}  // namespace boltzmark::stdpar
