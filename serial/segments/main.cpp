// segments-serial: segmented sums on one core.
#include "common/cpu/vector_sum.hpp"
#include "common/run/cpu_device.hpp"
#include "common/segments/array_reducer.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: the two loops.
struct Textbook {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers&) {
    for (std::int64_t segment = 0; segment < shape.segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < shape.length; ++i) sum += *values++;
      sums[segment] = sum;
    }
  }
};

/// Vectors: along a segment, or across segments that are shorter than a vector.
struct Vectors {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers&) {
    sum_rows(values, shape.length, sums, {0, shape.segments});
  }
};

const segments::Variant textbook = textbook_of("two loops", segments::by<Textbook>(one_worker));
const segments::Variant vectors =
    like_for_like_of("vectors", "vectors along long segments, across short ones", segments::by<Vectors>(one_worker));

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, segments::workload, "serial", "on one core", {&textbook, &vectors}, "vectors");
}
