// segments-stdpar: segmented sums in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <numeric>

#include "common/cpu/vector_sum.hpp"
#include "common/segments/array_reducer.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

/// Textbook: an algorithm over segments, each summed by std::reduce.
struct Textbook {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers&) {
    std::transform(std::execution::par_unseq, counting(0), counting(shape.segments), sums,
                   [=, length = shape.length](std::int64_t segment) {
                     return std::reduce(values + segment * length, values + (segment + 1) * length);
                   });
  }
};

/// Vectors: an algorithm over blocks of many short segments, or over the blocks of each long segment.
struct Vectors {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers&) {
    constexpr std::int64_t most = std::int64_t{1} << 16, least = std::int64_t{1} << 12;
    const std::int64_t block = std::clamp(shape.segments * shape.length / (2 * usable_cores()), least, most);
    const std::int64_t segments = shape.segments, length = shape.length;
    if (length <= most) {
      const std::int64_t blocks = std::clamp<std::int64_t>(segments * length / block, 1, segments);
      std::for_each(std::execution::par, counting(0), counting(blocks),
                    [=](std::int64_t number) { sum_rows(values, length, sums, part_of(segments, number, blocks)); });
      return;
    }
    const std::int64_t blocks = (length + block - 1) / block;
    for (std::int64_t segment = 0; segment < segments; ++segment)
      sums[segment] = std::transform_reduce(std::execution::par, counting(0), counting(blocks), T(0), std::plus<>{},
                                            [=, from = values + segment * length](std::int64_t number) {
                                              const std::int64_t first = number * block;
                                              return sum_of(from + first, std::min(block, length - first));
                                            });
  }
};

const segments::Variant textbook = textbook_of("an algorithm over segments", segments::by<Textbook>(start_workers));
const segments::Variant vectors =
    like_for_like_of("vectors", "an algorithm over blocks, in vectors", segments::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
