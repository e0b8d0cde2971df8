// matmul-stdpar: matrix multiplication in the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>

#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/multiplier.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const matmul::Variant textbook;
namespace {
using namespace matmul;

// Packed: an algorithm over as many parts of the rows of C as there are cores, each multiplied in packed panels
// (common/matmul/cpu/packed.hpp). Algorithms have no barrier, so every part packs B separately.
//
//     for_each part of the rows   tile of C in registers += strip of A * strip of B
template <class T, int lanes>
class PackedPanels {
 public:
  void init(const Matrices<T>& of, const Workers& workers) {
    const Shape& shape = of.shape;
    parts_.clear();
    const std::int64_t count = std::min<std::int64_t>(workers.facts.threads, shape.m);
    for (std::int64_t number = 0; number < count; ++number)
      parts_.emplace_back(Shape{(shape.m + count - 1) / count, shape.n, shape.k}, 1);
  }

  void multiply(Matrices<T>& of, const Workers&) {
    const auto count = static_cast<std::int64_t>(parts_.size());
    // par, not par_unseq, because parts must not be interleaved on a thread.
    std::for_each(std::execution::par, counting(0), counting(count), [&of, this, count](std::int64_t number) {
      const auto [m, n, k] = of.shape;
      const std::int64_t first = m * number / count, end = m * (number + 1) / count;
      const Operands<T> rows = {
          {end - first, n, k}, of.a.data() + first * k, k, of.b.data(), n, of.c.data() + first * n, n};
      parts_[number].multiply(rows, false, 0, [] {});
    });
  }

  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    ProductTraffic traffic = of.traffic(workers);
    const auto parts = static_cast<int>(parts_.size());
    return {.bytes_per_update = Packed<T, lanes>::bytes_per_element(of.shape, parts_[0].blocks()),
            .traffic = parts_[0].add_traffic(traffic, parts, parts).sets(),
            .settings = parts_[0].settings()};
  }

 private:
  std::vector<Packed<T, lanes>> parts_;
};

const matmul::Variant packed =
    packed_of<PackedPanels>("packed panels and a micro-kernel in vector registers", start_workers);

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, matmul::workload, {&textbook, &packed}, "packed");
}
