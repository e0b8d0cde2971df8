// scan-stdpar: prefix sums in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/vectors.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

/// Textbook: std::inclusive_scan with a policy.
struct Textbook {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    std::inclusive_scan(std::execution::par_unseq, values, values + elements, sums);
  }
};

/// Blocks: one algorithm over blocks for their sums, a loop over these sums, and one algorithm that scans each block.
struct Blocks {
  static constexpr scan::Passes passes = scan::sums_first;
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    constexpr std::int64_t block = std::int64_t{1} << 15;
    const std::int64_t blocks = (elements + block - 1) / block;
    const auto block_of = [=](std::int64_t number) {
      return Range{number * block, std::min(elements, (number + 1) * block)};
    };
    std::vector<T> before(static_cast<std::size_t>(blocks));
    std::for_each(std::execution::par, counting(0), counting(blocks), [&](std::int64_t number) {
      const Range mine = block_of(number);
      before[number] = sum_of(values + mine.begin, mine.size());
    });
    std::exclusive_scan(before.begin(), before.end(), before.begin(), T(0));
    std::for_each(std::execution::par, counting(0), counting(blocks),
                  [&](std::int64_t number) { scan::scan_range(values, sums, block_of(number), before[number]); });
  }
};

const scan::Variant textbook = textbook_of("std::inclusive_scan with a policy", scan::by<Textbook>(start_workers));
const scan::Variant blocks =
    like_for_like_of("blocks", "sums of blocks, then a scan of each", scan::by<Blocks>(start_workers));

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, scan::workload, {&textbook, &blocks}, "blocks");
}
