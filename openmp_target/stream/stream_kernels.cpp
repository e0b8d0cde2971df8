#include "openmp_target/stream/kernels.hpp"

#include <omp.h>

#include <algorithm>

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

/// Sum of a[i] * b[i] over a thread's share of the vectors. Equal terms round the same way every time, so
/// only `chain` of them are added up in T.
template <class T>
KERNEL_FN double dot_of_share(const Vector<T>* a, const Vector<T>* b, const Share& share) {
  constexpr int chain = 32, lanes = sizeof(Vector<T>) / sizeof(T);
  CompensatedSum total;
  for (std::int64_t start = share.begin; start < share.end; start += chain * share.step) {
    Vector<T> part = {};
    if (start + (chain - 1) * share.step < share.end) {
#pragma unroll 8
      for (int k = 0; k < chain; ++k) part += a[start + k * share.step] * b[start + k * share.step];
    } else {
      for (std::int64_t i = start; i < share.end; i += share.step) part += a[i] * b[i];
    }
    T sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += part[lane];
    total.add(static_cast<double>(sum));
  }
  return total.value();
}

/// Vector number `i` of an array whose elements 0 .. elements - 1 are `value` and zero behind them.
template <class T>
KERNEL_FN Vector<T> start_vector(T value, std::int64_t i, std::int64_t elements) {
  constexpr int lanes = sizeof(Vector<T>) / sizeof(T);
  Vector<T> vector;
  for (int lane = 0; lane < lanes; ++lane) vector[lane] = i * lanes + lane < elements ? value : T(0);
  return vector;
}

#pragma omp end declare target

/// A dot product has as many teams on a GPU, each thread many vectors: enough to keep the memory busy.
constexpr int dot_teams = 2048;

template <class T>
class AllocatedStream : public DeviceStream<T> {
 public:
  AllocatedStream(std::int64_t elements, Launch launch, const Surroundings& inside)
      : elements_(elements),
        vectors_((elements + stream_lanes<T>(inside) - 1) / stream_lanes<T>(inside)),
        launch_(launch),
        dot_launch_{launch.device, std::min(launch.teams, dot_teams), launch.threads},
        a_(vectors_ * stream_lanes<T>(inside), launch.device),
        b_(a_.size(), launch.device),
        c_(a_.size(), launch.device),
        sums_(dot_launch_, inside.sum_group, 1),
        witness_(1, launch.device) {
    if (!is_whole()) return;
    const Witness none;
    witness_.write(1, &none);
    if (!inside.is_gpu())
      for (const auto* array : {&a_, &b_, &c_}) array->lie_on_huge_pages();
  }
  bool is_whole() const { return a_ && b_ && c_ && sums_ && witness_; }

  void init() override;
  void copy() override;
  void mul() override;
  void add() override;
  void triad() override;
  double dot() override;

  void read(int array, std::int64_t first, std::int64_t count, T* to) override {
    (array == 0 ? a_ : array == 1 ? b_ : c_).read(first, count, to);
  }
  Witness witness() override {
    Witness witness;
    witness_.read(0, 1, &witness);
    return witness;
  }
  Launch launch() const override { return launch_; }
  std::int64_t regions() const override { return regions_; }

 private:
  static Vector<T>* vectors_of(const DeviceArray<T>& array) {
    return reinterpret_cast<Vector<T>*>(array.data());
  }

  std::int64_t elements_, vectors_;
  Launch launch_, dot_launch_;
  DeviceArray<T> a_, b_, c_;
  StepSums sums_;
  DeviceArray<Witness> witness_;
  std::int64_t regions_ = 0;
};

// Each kernel is one region over all vectors, on a GPU with a thread for each.

template <class T>
void AllocatedStream<T>::init() {
  Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_), *const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_, elements = elements_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(a, b, c, witness) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(vectors);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) {
      a[i] = start_vector<T>(T(start_a), i, elements);
      b[i] = start_vector<T>(T(start_b), i, elements);
      c[i] = start_vector<T>(T(start_c), i, elements);
    }
  }
  ++regions_;
}

template <class T>
void AllocatedStream<T>::copy() {
  const Vector<T>* const a = vectors_of(a_);
  Vector<T>* const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(a, c, witness) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(vectors);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) c[i] = a[i];
  }
  ++regions_;
}

template <class T>
void AllocatedStream<T>::mul() {
  Vector<T>* const b = vectors_of(b_);
  const Vector<T>* const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(b, c, witness) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(vectors);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) b[i] = T(scalar) * c[i];
  }
  ++regions_;
}

template <class T>
void AllocatedStream<T>::add() {
  const Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_);
  Vector<T>* const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(a, b, c, witness) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(vectors);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) c[i] = a[i] + b[i];
  }
  ++regions_;
}

template <class T>
void AllocatedStream<T>::triad() {
  Vector<T>* const a = vectors_of(a_);
  const Vector<T>*const b = vectors_of(b_), *const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams is_device_ptr(a, b, c, witness) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(vectors);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) a[i] = b[i] + T(scalar) * c[i];
  }
  ++regions_;
}

template <class T>
double AllocatedStream<T>::dot() {
  const Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_);
  double* const sums = sums_.parts(0);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_;
  const int device = dot_launch_.device, teams = dot_launch_.teams, threads = dot_launch_.threads;
#pragma omp target teams is_device_ptr(a, b, sums, witness) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    leave_sum(dot_of_share<T>(a, b, share_of(vectors)), sums);
  }
  double total = 0.0;
  sums_.fold(1, witness, &total);
  regions_ += 2;
  return total;
}

}  // namespace

template <class T>
std::unique_ptr<DeviceStream<T>> allocate_stream(std::int64_t elements, Launch launch,
                                                 const Surroundings& inside) {
  auto stream = std::make_unique<AllocatedStream<T>>(elements, launch, inside);
  if (!stream->is_whole()) return nullptr;
  return stream;
}
template std::unique_ptr<DeviceStream<float>> allocate_stream(std::int64_t, Launch, const Surroundings&);
template std::unique_ptr<DeviceStream<double>> allocate_stream(std::int64_t, Launch, const Surroundings&);

}  // namespace boltzmark::openmp_target
