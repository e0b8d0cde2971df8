// STREAM in standard algorithms: copy, transform and transform_reduce with an execution policy, as one writes them.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/stream/host_kernels.hpp"
#include "stdpar/counting.hpp"

namespace boltzmark::stdpar {
using namespace stream;
namespace {

constexpr auto policy = std::execution::par_unseq;

template <class T>
class StdparStream : public Kernels {
 public:
  void init(std::int64_t elements) override {
    for (auto* array : {&a_, &b_, &c_}) *array = AlignedArray<T>(static_cast<std::size_t>(elements));
    std::for_each(policy, counting(0), counting(elements),
                  [a = a_.data(), b = b_.data(), c = c_.data()](auto i) {
                    a[i] = T(start_a);  // memory comes into being where it is first touched
                    b[i] = T(start_b);
                    c[i] = T(start_c);
                  });
  }
  void copy() override {
    std::transform(policy, begin(a_), end(a_), begin(c_), [](T a) { return a; });
  }
  void mul() override {
    std::transform(policy, begin(c_), end(c_), begin(b_), [](T c) { return T(scalar) * c; });
  }
  void add() override { std::transform(policy, begin(a_), end(a_), begin(b_), begin(c_), std::plus<>{}); }
  void triad() override {
    std::transform(policy, begin(b_), end(b_), begin(c_), begin(a_),
                   [](T b, T c) { return b + T(scalar) * c; });
  }
  /// Equal terms round the same way every time, so the error of a long sum grows with its length: blocks of it are
  /// summed plainly, and these sums with what rounding loses.
  double dot() override {
    constexpr std::int64_t block = 2048;
    const std::int64_t elements = part();
    return std::transform_reduce(
               policy, counting(0), counting((elements + block - 1) / block), CompensatedSum(),
               [](CompensatedSum sum, CompensatedSum other) {
                 sum.add(other);
                 return sum;
               },
               [=, a = a_.data(), b = b_.data()](std::int64_t number) {
                 const std::int64_t first = number * block, end = std::min(elements, first + block);
                 CompensatedSum sum;
                 sum.add(std::transform_reduce(
                     std::execution::unseq, a + first, a + end, b + first, 0.0, std::plus<>{},
                     [](T x, T y) { return static_cast<double>(x) * static_cast<double>(y); }));
                 return sum;
               })
        .value();
  }

  Memory memory() override { return {.cache_bytes = last_level_cache_bytes(usable_processors())}; }
  std::string shortage(std::int64_t elements) override {
    return memory_shortage(3 * sizeof(T) * static_cast<std::uint64_t>(elements));
  }
  std::int64_t part() const override { return static_cast<std::int64_t>(a_.size()); }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    const T* const from = (array == Array::a ? a_ : array == Array::b ? b_ : c_).data() + first;
    std::transform(from, from + values.size(), values.begin(),
                   [](T value) { return static_cast<double>(value); });
  }

  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = library_name(), .threads = usable_cores()};
  }

 private:
  static T* begin(AlignedArray<T>& array) { return array.data(); }
  static T* end(AlignedArray<T>& array) { return array.data() + array.size(); }

  AlignedArray<T> a_, b_, c_;
};

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  stream::Program program;
  program.model = "stdpar";
  program.summary = "STREAM in the parallel algorithms of standard C++";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {stream::plain_variant};
  program.devices = cpu_devices;
  program.make = [](const Options& options) -> std::unique_ptr<stream::Kernels> {
    if (options.precision == Precision::f64) return std::make_unique<stdpar::StdparStream<double>>();
    return std::make_unique<stdpar::StdparStream<float>>();
  };
  return stream::run_program(argc, argv, program);
}
