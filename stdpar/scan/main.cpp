// scan-stdpar: prefix sums in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

template <class T>
class StdparScanner : public OnCores<scan::HostScanner<T>> {
 protected:
  static constexpr std::int64_t block = std::int64_t{1} << 15;
  std::int64_t blocks() const { return (this->part() + block - 1) / block; }
  Range block_of(std::int64_t number) const { return {number * block, std::min(this->part(), (number + 1) * block)}; }
};

/// Textbook: std::inclusive_scan with a policy.
template <class T>
class Textbook : public StdparScanner<T> {
 public:
  void scan() override {
    std::inclusive_scan(std::execution::par_unseq, this->values_.data(), this->values_.data() + this->part(),
                        this->sums_.data());
  }
};

/// Blocks: an algorithm over blocks for their sums, a loop over these, and an algorithm over blocks that scans each.
template <class T>
class Blocks : public StdparScanner<T> {
 public:
  scan::Passes passes() const override { return scan::sums_first; }
  void scan() override {
    std::vector<T> before(static_cast<std::size_t>(this->blocks()));
    std::for_each(std::execution::par, counting(0), counting(this->blocks()), [&](std::int64_t number) {
      const Range mine = this->block_of(number);
      before[number] = sum_of(this->values_.data() + mine.begin, mine.size());
    });
    std::exclusive_scan(before.begin(), before.end(), before.begin(), T(0));
    std::for_each(std::execution::par, counting(0), counting(this->blocks()), [&](std::int64_t number) {
      scan::scan_range(this->values_.data(), this->sums_.data(), this->block_of(number), before[number]);
    });
  }
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("std::inclusive_scan with a policy");

const scan::Variant blocks = like_for_like_of<scan::Scanner, Blocks>("blocks", "sums of blocks, then a scan of each");

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, scan::workload, {&textbook, &blocks}, "blocks");
}
