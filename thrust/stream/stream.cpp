// STREAM in Thrust: every kernel is a transform from arrays to an array. Systems with threads give each of them the same
// elements every time.
#include "thrust/on_system.hpp"

#include "common/stream/array_kernels.hpp"

namespace boltzmark::by_thrust {
using namespace stream;
using namespace ::thrust::placeholders;
namespace {

template <class T>
struct Plain {
  void init(Arrays<T>& at, const Workers& workers) {
    InParts<T>::init(at, workers);
    a_ = {at.a(), at.size()};
    b_ = {at.b(), at.size()};
    c_ = {at.c(), at.size()};
  }
  void collect() const {
    for (const auto* array : {&a_, &b_, &c_}) array->download();
  }
  void copy(Arrays<T>&, const Workers&) { thrust::transform(on_system(), a_.begin(), a_.end(), c_.begin(), _1); }
  void mul(Arrays<T>&, const Workers&) {
    thrust::transform(on_system(), c_.begin(), c_.end(), b_.begin(), T(scalar) * _1);
  }
  void add(Arrays<T>&, const Workers&) {
    thrust::transform(on_system(), a_.begin(), a_.end(), b_.begin(), c_.begin(), _1 + _2);
  }
  void triad(Arrays<T>&, const Workers&) {
    thrust::transform(on_system(), b_.begin(), b_.end(), c_.begin(), a_.begin(), _1 + T(scalar) * _2);
  }
  /// Compensated sums: each thread of a processor has one for its part, computed in vectors.
  double dot(const Arrays<T>& at, const Workers& workers) {
    if (!is_gpu) return InParts<T>::dot(at, workers);
    const T *const a = a_.data(), *const b = b_.data();
    const auto product = KERNEL_LAMBDA(std::int64_t i)->CompensatedSum {
      CompensatedSum sum;
      sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
      return sum;
    };
    const auto join = KERNEL_LAMBDA(const CompensatedSum& sum, const CompensatedSum& other)->CompensatedSum {
      return CompensatedSum::of(sum, other);
    };
    return thrust::transform_reduce(on_system(), Numbers(0), Numbers(at.size()), product, CompensatedSum(), join)
        .value();
  }

  static Settings settings() { return settings_of_vectors<T>(); }

  InSystem<T> a_, b_, c_;
};

const Variant plain =
    like_for_like_of("plain", "each kernel one transform over whole arrays", by<Plain>(start_workers));

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, stream::workload, {&plain});
}
