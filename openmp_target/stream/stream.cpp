// STREAM on an offload device: arrays allocated there once, one target region per kernel.

#include <algorithm>
#include <vector>

#include "common/stream/kernels.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {
using namespace stream;
namespace {

#pragma omp begin declare target

/// Values of one iteration in this image; lanes() tells the host.
template <class T>
using Vector = typename Pack<T, Image::is_gpu ? 16 / sizeof(T) : native_lanes<T>>::Raw;

/// Sum of a[i] * b[i] over this thread's range of vectors. Equal terms round the same way every time, so only
/// `chain` of them are added up in T.
template <class T>
KERNEL_FN double dot_of_thread(const Vector<T>* a, const Vector<T>* b, const IndexRange& range) {
  constexpr int chain = 32, lanes = sizeof(Vector<T>) / sizeof(T);
  CompensatedSum total;
  for (std::int64_t start = range.begin; start < range.end; start += chain * range.stride) {
    Vector<T> part = {};
    if (start + (chain - 1) * range.stride < range.end) {
#pragma unroll 8
      for (int k = 0; k < chain; ++k) part += a[start + k * range.stride] * b[start + k * range.stride];
    } else {
      for (std::int64_t i = start; i < range.end; i += range.stride) part += a[i] * b[i];
    }
    T sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += part[lane];
    total.add(static_cast<double>(sum));
  }
  return total.value();
}

#pragma omp end declare target

template <class T>
class TargetStream : public OnDevice<Kernels> {
 public:
  using OnDevice<Kernels>::OnDevice;

  Memory memory() override { return is_gpu() ? Memory{.of_device = true} : machine_memory(); }
  std::string shortage(double bytes) override { return shortage_for(bytes); }

  void init(std::int64_t elements) override {
    elements_ = elements;
    vectors_ = (elements + lanes() - 1) / lanes();
    launch_over(vectors_);
    dot_launch_ = {launch_.device, std::min(launch_.teams, dot_teams), launch_.threads};
    for (auto* array : {&a_, &b_, &c_}) {
      *array = DeviceArray<T>(vectors_ * lanes(), device_.number);
      if (!is_gpu()) array->use_huge_pages();
    }
    sums_ = StepSums(dot_launch_, device_.properties.sum_group, 1);
    for_each_vector([](auto* a, auto* b, auto* c, std::int64_t i) {
      a[i] = Vector<T>{} + T(start_a);
      b[i] = Vector<T>{} + T(start_b);
      c[i] = Vector<T>{} + T(start_c);
    });
    const std::vector<T> zeros(static_cast<std::size_t>(a_.size() - elements_));
    for (const auto* array : {&a_, &b_, &c_}) array->write(elements_, a_.size() - elements_, zeros.data());
    confirm();
  }
  void copy() override {
    for_each_vector([](auto* a, auto*, auto* c, std::int64_t i) { c[i] = a[i]; });
  }
  void mul() override {
    for_each_vector([](auto*, auto* b, auto* c, std::int64_t i) { b[i] = T(scalar) * c[i]; });
  }
  void add() override {
    for_each_vector([](auto* a, auto* b, auto* c, std::int64_t i) { c[i] = a[i] + b[i]; });
  }
  void triad() override {
    for_each_vector([](auto* a, auto* b, auto* c, std::int64_t i) { a[i] = b[i] + T(scalar) * c[i]; });
  }
  double dot() override {
    const Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_);
    double* const sums = sums_.parts(0);
    LaunchRecord* const record = record_.data();
    const std::int64_t vectors = vectors_;
    const int device = dot_launch_.device, teams = dot_launch_.teams, threads = dot_launch_.threads;
#pragma omp target teams is_device_ptr(a, b, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      store_group_sum(dot_of_thread<T>(a, b, indices_of_thread(vectors)), sums);
    }
    double total = 0.0;
    sums_.reduce(1, record, &total);
    regions_ += 2;
    return total;
  }

  std::int64_t part() const override { return elements_; }

  /// The check of the arrays also checks that every kernel ran on the device.
  void read(Array array, std::int64_t first, std::span<double> values) override {
    confirm();
    (array == Array::a ? a_ : array == Array::b ? b_ : c_).read_as_doubles(first, values);
  }

  RunFacts facts() const override {
    RunFacts facts = OnDevice::facts();
    facts.settings["vvl"] = lanes();
    return facts;
  }

 private:
  /// A dot product has at most this many teams on a GPU, with many vectors per thread: enough to keep the memory busy.
  static constexpr int dot_teams = 2048;

  /// Values that one iteration of a kernel takes: a Vector of the image for this kind of device.
  int lanes() const { return is_gpu() ? 16 / static_cast<int>(sizeof(T)) : device_.properties.lanes<T>(); }
  static Vector<T>* vectors_of(const DeviceArray<T>& array) { return reinterpret_cast<Vector<T>*>(array.data()); }

  /// One region over all vectors, on a GPU with one thread per vector. `Body` does vector i of a, b and c. It has no
  /// state: a region copies its captures to the device at every launch.
  template <class Body>
  void for_each_vector(Body) {
    Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_), *const c = vectors_of(c_);
    LaunchRecord* const record = record_.data();
    const std::int64_t vectors = vectors_;
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(a, b, c, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const IndexRange range = indices_of_thread(vectors);
      for (std::int64_t i = range.begin; i < range.end; i += range.stride) Body{}(a, b, c, i);
    }
    ++regions_;
  }

  std::int64_t elements_ = 0, vectors_ = 0;
  RegionLaunch dot_launch_;
  DeviceArray<T> a_, b_, c_;
  StepSums sums_;
};

const Variant plain = like_for_like_of<Kernels, TargetStream>("plain", "one loop over whole arrays per kernel");

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, stream::workload, {&plain});
}
