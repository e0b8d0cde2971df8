// STREAM in OpenACC: arrays that stay on the device, and a loop for each kernel.
#include "common/base/compensated_sum.hpp"
#include "common/stream/kernels.hpp"
#include "openacc/device.hpp"

namespace boltzmark::openacc {
using namespace stream;
namespace {

template <class T>
class Plain : public Kernels {
 public:
  explicit Plain(const Options& asked) : device_(choose_device(asked)) {}

  Memory memory() override { return device_.is_gpu() ? Memory{.of_device = true} : machine_memory(); }
  void init(std::int64_t elements) override {
    require_memory_on(device_, 3.0 * sizeof(T) * static_cast<double>(elements));
    for (auto* array : {&a_, &b_, &c_}) *array = DeviceArray<T>(static_cast<std::size_t>(elements));
    const std::int64_t n = elements;
    T *const a = a_.data(), *const b = b_.data(), *const c = c_.data();
#pragma acc parallel loop present(a [0:n], b [0:n], c [0:n])
    for (std::int64_t i = 0; i < n; ++i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    }
  }
  void copy() override {
    const std::int64_t n = part();
    const T* const a = a_.data();
    T* const c = c_.data();
#pragma acc parallel loop present(a [0:n], c [0:n])
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i];
  }
  void mul() override {
    const std::int64_t n = part();
    const T* const c = c_.data();
    T* const b = b_.data();
#pragma acc parallel loop present(b [0:n], c [0:n])
    for (std::int64_t i = 0; i < n; ++i) b[i] = T(scalar) * c[i];
  }
  void add() override {
    const std::int64_t n = part();
    const T *const a = a_.data(), *const b = b_.data();
    T* const c = c_.data();
#pragma acc parallel loop present(a [0:n], b [0:n], c [0:n])
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
  void triad() override {
    const std::int64_t n = part();
    const T *const b = b_.data(), *const c = c_.data();
    T* const a = a_.data();
#pragma acc parallel loop present(a [0:n], b [0:n], c [0:n])
    for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] + T(scalar) * c[i];
  }
  /// Equal terms round alike, so there are as many compensated sums as a GPU has threads; the host adds them up.
  double dot() override {
    const std::int64_t n = part(), sums = device_.is_gpu() ? std::int64_t{1} << 16 : 1;
    const T *const a = a_.data(), *const b = b_.data();
    std::vector<double> host(static_cast<std::size_t>(sums));
    double* const sum_of = host.data();
#pragma acc parallel loop present(a [0:n], b [0:n]) copyout(sum_of [0:sums])
    for (std::int64_t number = 0; number < sums; ++number) {
      CompensatedSum sum;
      for (std::int64_t i = number; i < n; i += sums) sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
      sum_of[number] = sum.value();
    }
    CompensatedSum all;
    for (const double sum : host) all.add(sum);
    return all.value();
  }

  std::int64_t part() const override { return a_.size(); }
  void collect() override {
    for (auto* array : {&a_, &b_, &c_}) array->to_host();
  }
  void read(Array array, std::int64_t first, std::span<double> values) override {
    const T* const from = (array == Array::a ? a_ : array == Array::b ? b_ : c_).data() + first;
    std::copy(from, from + values.size(), values.begin());
  }
  RunFacts facts() const override { return facts_on(device_, {}); }

 private:
  AccDevice device_;
  DeviceArray<T> a_, b_, c_;
};

const Variant plain = like_for_like_of<Kernels, Plain>("plain", "each kernel one parallel loop over whole arrays");

}  // namespace
}  // namespace boltzmark::openacc

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openacc;
  return run_on_device(argc, argv, stream::workload, {&plain});
}
