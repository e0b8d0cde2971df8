// Packed: an algorithm over as many stretches of the rows of C as there are cores, each multiplied in packed panels
// (common/matmul/cpu/packed.hpp). Algorithms have no barrier, so that every stretch packs B for itself.
//
//     for_each stretch of rows   tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

#include <algorithm>
#include <execution>

#include "common/cpu/processors.hpp"
#include "common/matmul/cpu/vector_lengths.hpp"
#include "common/matmul/host_multiplier.hpp"
#include "common/run/provenance.hpp"
#include "stdpar/counting.hpp"
#include "stdpar/matmul/variants.hpp"

namespace boltzmark::stdpar {
using namespace matmul;
namespace {

template <class T, int lanes>
class PackedPanels : public HostMultiplier<T> {
 public:
  void init(const Shape& shape, const Entries& entries) override {
    HostMultiplier<T>::init(shape, entries);
    stretches_.clear();
    const std::int64_t count = std::min<std::int64_t>(usable_cores(), shape.m);
    for (std::int64_t number = 0; number < count; ++number)
      stretches_.emplace_back(Shape{(shape.m + count - 1) / count, shape.n, shape.k}, 1);
  }

  void multiply() override {
    const auto count = static_cast<std::int64_t>(stretches_.size());
    // Threads must not be interleaved within a stretch: par, not par_unseq.
    std::for_each(std::execution::par, counting(0), counting(count), [this, count](std::int64_t number) {
      const auto [m, n, k] = shape_;
      const std::int64_t first = m * number / count, end = m * (number + 1) / count;
      const Operands<T> rows = {
          {end - first, n, k}, a_.data() + first * k, k, b_.data(), n, c_.data() + first * n, n};
      stretches_[number].multiply(rows, false, 0, [] {});
    });
  }

  RunFacts facts() const override {
    return {.device = cpu_name(),
            .driver = library_name(),
            .threads = usable_cores(),
            .bytes_per_update = Packed<T, lanes>::bytes_per_element(shape_, stretches_[0].blocks()),
            .settings = settings_of(stretches_[0])};
  }

 private:
  using HostMultiplier<T>::a_;
  using HostMultiplier<T>::b_;
  using HostMultiplier<T>::c_;
  using HostMultiplier<T>::shape_;

  std::vector<Packed<T, lanes>> stretches_;
};

}  // namespace

std::unique_ptr<Multiplier> make_packed(Precision precision, std::optional<int> lanes) {
  return make_of_length<PackedPanels>(precision, lanes);
}

}  // namespace boltzmark::stdpar
