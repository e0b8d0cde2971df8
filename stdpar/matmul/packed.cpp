// Packed: an algorithm over as many parts of the rows of C as there are cores, each multiplied in packed panels
// (common/matmul/cpu/packed.hpp). Algorithms have no barrier, so that every part packs B for itself.
//
//     for_each part of the rows   tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

#include <algorithm>
#include <execution>

#include "common/matmul/host_multiplier.hpp"
#include "common/run/vector_lengths.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace matmul;
namespace {

template <class T, int lanes>
class PackedPanels : public OnCores<HostMultiplier<T>> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    HostMultiplier<T>::init(shape, entries);
    parts_.clear();
    const std::int64_t count = std::min<std::int64_t>(usable_cores(), shape.m);
    for (std::int64_t number = 0; number < count; ++number)
      parts_.emplace_back(Shape{(shape.m + count - 1) / count, shape.n, shape.k}, 1);
  }

  void multiply() override {
    const auto count = static_cast<std::int64_t>(parts_.size());
    // Threads must not be interleaved within a part: par, not par_unseq.
    std::for_each(std::execution::par, counting(0), counting(count), [this, count](std::int64_t number) {
      const auto [m, n, k] = shape_;
      const std::int64_t first = m * number / count, end = m * (number + 1) / count;
      const Operands<T> rows = {{end - first, n, k}, a_.data() + first * k, k, b_.data(), n, c_.data() + first * n, n};
      parts_[number].multiply(rows, false, 0, [] {});
    });
  }

  RunFacts facts() const override {
    ProductTraffic traffic = this->traffic();
    const auto parts = static_cast<int>(parts_.size());
    return this->on_machine({.bytes_per_update = Packed<T, lanes>::bytes_per_element(shape_, parts_[0].blocks()),
                             .traffic = parts_[0].add_traffic(traffic, parts, parts).sets(),
                             .settings = parts_[0].settings()});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;

  std::vector<Packed<T, lanes>> parts_;
};

}  // namespace

extern const matmul::Variant packed =
    like_for_like_of<Multiplier, PackedPanels>("packed", "packed panels and a micro-kernel in vector registers");

}  // namespace boltzmark::stdpar
