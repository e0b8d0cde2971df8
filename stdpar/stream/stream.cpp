// STREAM in standard algorithms: copy, transform and transform_reduce with an execution policy, as one writes them.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/base/compensated_sum.hpp"
#include "common/stream/host_kernels.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace stream;
namespace {

constexpr auto policy = std::execution::par_unseq;

template <class T>
class StdparStream : public OnCores<HostKernels<T>> {
 public:
  void init(std::int64_t elements) override {
    this->arrays_ = Arrays<T>(elements);
    std::for_each(policy, counting(0), counting(elements), [a = a(), b = b(), c = c()](auto i) {
      a[i] = T(start_a);  // memory comes into being where it is first touched
      b[i] = T(start_b);
      c[i] = T(start_c);
    });
  }
  void copy() override {
    std::transform(policy, a(), a() + size(), c(), [](T a) { return a; });
  }
  void mul() override {
    std::transform(policy, c(), c() + size(), b(), [](T c) { return T(scalar) * c; });
  }
  void add() override { std::transform(policy, a(), a() + size(), b(), c(), std::plus<>{}); }
  void triad() override {
    std::transform(policy, b(), b() + size(), c(), a(), [](T b, T c) { return b + T(scalar) * c; });
  }
  /// Equal terms round the same way every time, so the error of a long sum grows with its length: blocks of it are
  /// summed plainly, and these sums with what rounding loses.
  double dot() override {
    constexpr std::int64_t block = 2048;
    return std::transform_reduce(policy, counting(0), counting((size() + block - 1) / block), CompensatedSum(),
                                 CompensatedSum::of,
                                 [elements = size(), a = a(), b = b()](std::int64_t number) {
                                   const std::int64_t first = number * block, end = std::min(elements, first + block);
                                   CompensatedSum sum;
                                   sum.add(std::transform_reduce(
                                       std::execution::unseq, a + first, a + end, b + first, 0.0, std::plus<>{},
                                       [](T x, T y) { return static_cast<double>(x) * static_cast<double>(y); }));
                                   return sum;
                                 })
        .value();
  }
  RunFacts facts() const override { return this->on_machine({}); }

 private:
  T* a() { return this->arrays_.a(); }
  T* b() { return this->arrays_.b(); }
  T* c() { return this->arrays_.c(); }
  std::int64_t size() const { return this->arrays_.size(); }
};

const Variant plain = like_for_like_of<Kernels, StdparStream>("plain", "each kernel one loop over whole arrays");

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, stream::workload, {&plain, stream::past_caches<StdparStream>()});
}
