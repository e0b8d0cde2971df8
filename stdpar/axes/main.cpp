// axes-stdpar: access patterns in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>

#include "common/axes/host_patterns.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {
using namespace axes;

template <class T>
using StdparPatterns = OnCores<HostPatterns<T>>;

/// Textbook: an algorithm over all sums, each a loop along its axis.
template <class T>
class Textbook : public StdparPatterns<T> {
  void fill() override {
    std::fill(std::execution::par_unseq, this->filled_.data(), this->filled_.data() + this->elements(), T(1));
  }
  void add_up(const Strides& s) override {
    const T* const values = this->values_.data();
    const std::int64_t n = this->n_;
    std::transform(std::execution::par_unseq, counting(0), counting(n * n * n), this->sums_.data(),
                   [=](std::int64_t number) {
                     const std::int64_t outer = number / (n * n), middle = number / n % n, inner = number % n;
                     T sum = 0;
                     for (std::int64_t at = 0; at < n; ++at)
                       sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
                     return sum;
                   });
  }
};

/// Vectors: an algorithm over blocks of sums, those of neighbouring elements together (common/axes/vectors.hpp).
template <class T>
class Vectors : public StdparPatterns<T> {
  void fill() override {
    T* const filled = this->filled_.data();
    const std::int64_t elements = this->elements(), blocks = this->workers();
    std::for_each(std::execution::par, counting(0), counting(blocks), [=](std::int64_t number) {
      const Range block = range_of_pages(elements, number, blocks, sizeof(T));
      std::fill(filled + block.begin, filled + block.end, T(1));
    });
  }
  void add_up(const Strides& s) override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t n = this->n_, apart = s.reduced, blocks = this->workers();
    std::for_each(std::execution::par, counting(0), counting(blocks), [=](std::int64_t number) {
      axes::add_up(values, n, apart, sums, range_of_pages(n * n * n, number, blocks, sizeof(T)));
    });
  }
};

const axes::Variant textbook = textbook_of<axes::Patterns, Textbook>("an algorithm over all sums");
const axes::Variant vectors = like_for_like_of<axes::Patterns, Vectors>(
    "vectors", "an algorithm over blocks of sums, those of neighbouring elements in vectors");

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
