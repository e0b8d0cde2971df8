// segments-stdpar: segmented sums in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <numeric>

#include "common/segments/host_reducer.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

template <class T>
using StdparSegments = OnCores<segments::HostReducer<T>>;

/// Textbook: an algorithm over segments, in each of which std::reduce adds up.
template <class T>
class Textbook : public StdparSegments<T> {
 public:
  void reduce() override {
    const T* const values = this->values_.data();
    const std::int64_t length = this->shape_.length;
    std::transform(
        std::execution::par_unseq, counting(0), counting(this->shape_.segments), this->sums_.data(),
        [=](std::int64_t segment) { return std::reduce(values + segment * length, values + (segment + 1) * length); });
  }
};

/// Vectors: short segments in blocks of many; of long ones an algorithm over the blocks of each.
template <class T>
class Vectors : public StdparSegments<T> {
 public:
  void reduce() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const auto [segments, length] = this->shape_;
    if (length <= block) {
      const std::int64_t blocks = std::max<std::int64_t>(1, segments * length / block);
      std::for_each(std::execution::par, counting(0), counting(blocks),
                    [=, count = segments, of_each = length](std::int64_t number) {
                      sum_rows(values, of_each, sums, part_of(count, number, blocks));
                    });
      return;
    }
    const std::int64_t blocks = (length + block - 1) / block;
    for (std::int64_t segment = 0; segment < segments; ++segment)
      sums[segment] =
          std::transform_reduce(std::execution::par, counting(0), counting(blocks), T(0), std::plus<>{},
                                [=, from = values + segment * length, of_each = length](std::int64_t number) {
                                  const std::int64_t first = number * block;
                                  return sum_of(from + first, std::min(block, of_each - first));
                                });
  }

 private:
  static constexpr std::int64_t block = std::int64_t{1} << 16;
};

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("an algorithm over segments");

const segments::Variant vectors =
    like_for_like_of<segments::Reducer, Vectors>("vectors", "an algorithm over blocks, in vectors");

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
