#include "openmp_target/stream/kernels.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "common/stream/constants.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/sums.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace stream;
namespace {

#pragma omp begin declare target

/// What one iteration takes, as far as this image is concerned; stream_lanes tells the host.
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

/// A dot product has at most this many teams on a GPU, each thread many vectors: enough to keep the memory
/// busy.
constexpr int dot_teams = 2048;

template <class T>
class AllocatedStream : public DeviceKernels<T> {
 public:
  AllocatedStream(std::int64_t elements, Launch launch, const DeviceProperties& properties)
      : elements_(elements),
        vectors_((elements + stream_lanes<T>(properties) - 1) / stream_lanes<T>(properties)),
        launch_(launch),
        dot_launch_{launch.device, std::min(launch.teams, dot_teams), launch.threads},
        a_(vectors_ * stream_lanes<T>(properties), launch.device),
        b_(a_.size(), launch.device),
        c_(a_.size(), launch.device),
        sums_(dot_launch_, properties.sum_group, 1),
        record_(1, launch.device) {
    if (!is_whole()) return;
    const LaunchRecord none;
    record_.write(0, 1, &none);
    if (!properties.is_gpu())
      for (const auto* array : {&a_, &b_, &c_}) array->use_huge_pages();
  }
  bool is_whole() const { return a_ && b_ && c_ && sums_ && record_; }

  void init() override {
    for_each_vector([](auto* a, auto* b, auto* c, std::int64_t i) {
      a[i] = Vector<T>{} + T(start_a);
      b[i] = Vector<T>{} + T(start_b);
      c[i] = Vector<T>{} + T(start_c);
    });
    const std::vector<T> zeros(static_cast<std::size_t>(a_.size() - elements_));
    for (const auto* array : {&a_, &b_, &c_}) array->write(elements_, a_.size() - elements_, zeros.data());
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
  double dot() override;

  void read(int array, std::int64_t first, std::int64_t count, T* to) override {
    (array == 0 ? a_ : array == 1 ? b_ : c_).read(first, count, to);
  }
  LaunchRecord record() override {
    LaunchRecord record;
    record_.read(0, 1, &record);
    return record;
  }
  Launch launch() const override { return launch_; }
  std::int64_t regions() const override { return regions_; }

 private:
  static Vector<T>* vectors_of(const DeviceArray<T>& array) {
    return reinterpret_cast<Vector<T>*>(array.data());
  }
  template <class Body>
  void for_each_vector(Body);

  std::int64_t elements_, vectors_;
  Launch launch_, dot_launch_;
  DeviceArray<T> a_, b_, c_;
  StepSums sums_;
  DeviceArray<LaunchRecord> record_;
  std::int64_t regions_ = 0;
};

/// One region over all vectors, on a GPU with one thread per vector. `Body` is what happens to vector i of a,
/// b and c: a function without a state, because a region copies what it captures to the device at every
/// launch.
template <class T>
template <class Body>
void AllocatedStream<T>::for_each_vector(Body) {
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

template <class T>
double AllocatedStream<T>::dot() {
  const Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_);
  double* const sums = sums_.parts(0);
  LaunchRecord* const record = record_.data();
  const std::int64_t vectors = vectors_;
  const int device = dot_launch_.device, teams = dot_launch_.teams, threads = dot_launch_.threads;
#pragma omp target teams is_device_ptr(a, b, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
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

}  // namespace

template <class T>
std::unique_ptr<DeviceKernels<T>> allocate_stream(std::int64_t elements, Launch launch,
                                                  const DeviceProperties& properties) {
  auto stream = std::make_unique<AllocatedStream<T>>(elements, launch, properties);
  if (!stream->is_whole()) return nullptr;
  return stream;
}
template std::unique_ptr<DeviceKernels<float>> allocate_stream(std::int64_t, Launch, const DeviceProperties&);
template std::unique_ptr<DeviceKernels<double>> allocate_stream(std::int64_t, Launch,
                                                                const DeviceProperties&);

}  // namespace boltzmark::openmp_target
