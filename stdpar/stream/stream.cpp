// STREAM in standard algorithms: copy, transform and transform_reduce with an execution policy, in their usual form.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/base/compensated_sum.hpp"
#include "common/stream/array_kernels.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace stream;
namespace {

constexpr auto policy = std::execution::par_unseq;

template <class T>
struct Plain {
  static void init(Arrays<T>& at, const Workers&) {
    std::for_each(policy, counting(0), counting(at.size()), [a = at.a(), b = at.b(), c = at.c()](auto i) {
      a[i] = T(start_a);  // memory is placed where it is first touched
      b[i] = T(start_b);
      c[i] = T(start_c);
    });
  }
  static void copy(Arrays<T>& at, const Workers&) {
    std::transform(policy, at.a(), at.a() + at.size(), at.c(), [](T a) { return a; });
  }
  static void mul(Arrays<T>& at, const Workers&) {
    std::transform(policy, at.c(), at.c() + at.size(), at.b(), [](T c) { return T(scalar) * c; });
  }
  static void add(Arrays<T>& at, const Workers&) {
    std::transform(policy, at.a(), at.a() + at.size(), at.b(), at.c(), std::plus<>{});
  }
  static void triad(Arrays<T>& at, const Workers&) {
    std::transform(policy, at.b(), at.b() + at.size(), at.c(), at.a(), [](T b, T c) { return b + T(scalar) * c; });
  }
  /// Equal terms round the same way every time, so the error of a long sum grows with its length: blocks are summed
  /// plainly, and their sums with compensation.
  static double dot(Arrays<T>& at, const Workers&) {
    constexpr std::int64_t block = 2048;
    return std::transform_reduce(policy, counting(0), counting((at.size() + block - 1) / block), CompensatedSum(),
                                 CompensatedSum::of,
                                 [elements = at.size(), a = at.a(), b = at.b()](std::int64_t number) {
                                   const std::int64_t first = number * block, end = std::min(elements, first + block);
                                   CompensatedSum sum;
                                   sum.add(std::transform_reduce(
                                       std::execution::unseq, a + first, a + end, b + first, 0.0, std::plus<>{},
                                       [](T x, T y) { return static_cast<double>(x) * static_cast<double>(y); }));
                                   return sum;
                                 })
        .value();
  }
};

const Variant plain = like_for_like_of("plain", "each kernel one loop over whole arrays", by<Plain>(start_workers));
const Variant nt = past_caches<Plain>(start_workers);

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, stream::workload, {&plain, &nt});
}
