// axes-stdpar: access patterns in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>

#include "common/axes/array_patterns.hpp"
#include "common/axes/cpu/vectors.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {
using namespace axes;

/// Textbook: an algorithm over all sums, each a loop along its axis.
struct Textbook {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers&) {
    std::fill(std::execution::par_unseq, filled, filled + n * n * n * n, T(1));
  }
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& strides, T* sums, const Workers&) {
    std::transform(std::execution::par_unseq, counting(0), counting(n * n * n), sums,
                   [=, s = strides](std::int64_t number) {
                     const std::int64_t outer = number / (n * n), middle = number / n % n, inner = number % n;
                     T sum = 0;
                     for (std::int64_t at = 0; at < n; ++at)
                       sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
                     return sum;
                   });
  }
};

/// Vectors: an algorithm over blocks of sums, with neighbouring elements together (common/axes/cpu/vectors.hpp).
struct Vectors {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers& workers) {
    const std::int64_t elements = n * n * n * n, blocks = workers.count;
    std::for_each(std::execution::par, counting(0), counting(blocks), [=](std::int64_t number) {
      const Range block = range_of_pages(elements, number, blocks, sizeof(T));
      std::fill(filled + block.begin, filled + block.end, T(1));
    });
  }
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* sums, const Workers& workers) {
    const std::int64_t apart = s.reduced, blocks = workers.count;
    std::for_each(std::execution::par, counting(0), counting(blocks), [=](std::int64_t number) {
      axes::add_up(values, n, apart, sums, range_of_pages(n * n * n, number, blocks, sizeof(T)));
    });
  }
};

const axes::Variant textbook = textbook_of("an algorithm over all sums", by<Textbook>(start_workers));
const axes::Variant vectors = like_for_like_of(
    "vectors", "an algorithm over blocks of sums, neighbouring elements in vectors", by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
