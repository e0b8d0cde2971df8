// STREAM in Thrust: every kernel is a transform from arrays to an array. Systems with threads give each of them the same
// elements every time.
#include "thrust/on_system.hpp"

#include "common/stream/host_kernels.hpp"

namespace boltzmark::by_thrust {
using namespace stream;
using namespace ::thrust::placeholders;
namespace {

template <class T>
struct Plain : OnSystem<HostKernels<T>> {
  Memory memory() override { return is_gpu ? Memory{.of_device = true} : machine_memory(); }
  void init(std::int64_t elements) override {
    HostKernels<T>::init(elements);
    a_ = {this->arrays_.a(), elements};
    b_ = {this->arrays_.b(), elements};
    c_ = {this->arrays_.c(), elements};
  }
  void collect() override {
    for (const auto* array : {&a_, &b_, &c_}) array->download();
  }
  void copy() override { thrust::transform(on_system(), a_.begin(), a_.end(), c_.begin(), _1); }
  void mul() override { thrust::transform(on_system(), c_.begin(), c_.end(), b_.begin(), T(scalar) * _1); }
  void add() override { thrust::transform(on_system(), a_.begin(), a_.end(), b_.begin(), c_.begin(), _1 + _2); }
  void triad() override {
    thrust::transform(on_system(), b_.begin(), b_.end(), c_.begin(), a_.begin(), _1 + T(scalar) * _2);
  }
  /// Sums that keep what rounding loses: each thread of a processor has that of its part, taken in vectors.
  double dot() override {
    if (!is_gpu) return HostKernels<T>::dot();
    const T *const a = a_.data(), *const b = b_.data();
    const auto product = KERNEL_LAMBDA(std::int64_t i)->CompensatedSum {
      CompensatedSum sum;
      sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
      return sum;
    };
    const auto join = KERNEL_LAMBDA(const CompensatedSum& sum, const CompensatedSum& other)->CompensatedSum {
      return CompensatedSum::of(sum, other);
    };
    return thrust::transform_reduce(on_system(), Numbers(0), Numbers(this->part()), product, CompensatedSum(), join)
        .value();
  }

  InSystem<T> a_, b_, c_;
};

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one transform over whole arrays");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, stream::workload, {&plain});
}
