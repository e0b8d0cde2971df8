#include "openmp_target/stream_kernels.hpp"

#include <omp.h>

#include <algorithm>

#include "common/cpu/aligned.hpp"
#include "common/stream/stream_constants.hpp"

#pragma omp begin declare target
#include "common/cpu/simd.hpp"
#include "common/stream/compensated_sum.hpp"
#include "openmp_target/testify.hpp"
#pragma omp end declare target

namespace boltzmark::openmp_target {
namespace {

/// What one iteration takes, as far as this image is concerned; stream_lanes tells the host.
template <class T>
#if defined(__NVPTX__) || defined(__AMDGCN__)
using Vector = typename Pack<T, 16 / sizeof(T)>::Raw;
#else
using Vector = typename Pack<T, native_lanes<T>>::Raw;
#endif

/// Memory on a device, as long as this lives. Begins on a vector boundary of every image; not initialised.
template <class T>
class DeviceArray {
 public:
  DeviceArray(std::int64_t size, Launch launch)
      : bytes_(static_cast<std::size_t>(size) * sizeof(T) + boundary),
        memory_(omp_target_alloc(bytes_, launch.device)),
        device_(launch.device) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() {
    if (memory_) omp_target_free(memory_, device_);
  }

  /// For memory of a device that is this processor.
  void lie_on_huge_pages() const { advise_huge_pages(memory_, bytes_); }

  explicit operator bool() const { return memory_ != nullptr; }
  /// The address on the device.
  T* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_);
    return reinterpret_cast<T*>((address + boundary - 1) / boundary * boundary);
  }
  void write(std::int64_t count, const T* from) const {
    omp_target_memcpy(data(), const_cast<T*>(from), static_cast<std::size_t>(count) * sizeof(T), 0, 0,
                      device_, omp_get_initial_device());
  }
  void read(std::int64_t first, std::int64_t count, T* to) const {
    omp_target_memcpy(to, data(), static_cast<std::size_t>(count) * sizeof(T), 0,
                      static_cast<std::size_t>(first) * sizeof(T), omp_get_initial_device(), device_);
  }

 private:
  static constexpr std::size_t boundary = 64;  // bytes
  std::size_t bytes_;
  void* memory_;
  int device_;
};

/// How the dot product is dealt out. Reductions over teams are slow or worse in some runtimes, so there are
/// none: each item sums a stretch of vectors into a number of its own, and a second region sums those into a
/// few, which go to the host.
struct DotDealing {
  enum : int { stretch = 512, chain = 32, sums = 1024 };  ///< vectors an item, terms in a row, last numbers

  std::int64_t items = 1;
  std::int64_t item_step = 1;  ///< from an item's first vector to that of the next item
  std::int64_t turn_step = 1;  ///< from one vector of an item to its next

  /// On a GPU neighbouring items read neighbouring vectors, on a processor each walks along a stretch.
  DotDealing(std::int64_t vectors, bool on_gpu) : items((vectors + stretch - 1) / stretch) {
    if (on_gpu)
      turn_step = items;
    else
      item_step = stretch;
  }
};

#pragma omp begin declare target

/// Sum of a[i] * b[i] over the turns of one item. Equal terms round the same way every time, so only `chain`
/// of them are added one by one.
template <class T>
CELL_FN T dot_of_item(const Vector<T>* a, const Vector<T>* b, std::int64_t vectors, std::int64_t first,
                      std::int64_t step) {
  constexpr int chain = DotDealing::chain, lanes = sizeof(Vector<T>) / sizeof(T);
  Vector<T> sum = {};
  for (int turn = 0; turn < DotDealing::stretch; turn += chain) {
    const std::int64_t start = first + turn * step;
    Vector<T> part = {};
    if (start + (chain - 1) * step < vectors) {
#pragma unroll 8
      for (int k = 0; k < chain; ++k) part += a[start + k * step] * b[start + k * step];
    } else {
      for (int k = 0; k < chain && start + k * step < vectors; ++k)
        part += a[start + k * step] * b[start + k * step];
    }
    sum += part;
  }
  T total = 0;
  for (int lane = 0; lane < lanes; ++lane) total += sum[lane];
  return total;
}

/// Vector number `i` of an array whose elements 0 .. elements - 1 are `value` and zero behind them.
template <class T>
CELL_FN Vector<T> start_vector(T value, std::int64_t i, std::int64_t elements) {
  constexpr int lanes = sizeof(Vector<T>) / sizeof(T);
  Vector<T> vector;
  for (int lane = 0; lane < lanes; ++lane) vector[lane] = i * lanes + lane < elements ? value : T(0);
  return vector;
}

#pragma omp end declare target

template <class T>
class AllocatedStream : public DeviceStream<T> {
 public:
  AllocatedStream(std::int64_t elements, Launch launch, const Surroundings& inside)
      : elements_(elements),
        lanes_(stream_lanes<T>(inside)),
        vectors_((elements + lanes_ - 1) / lanes_),
        launch_(launch),
        dealing_(vectors_, inside.is_gpu()),
        a_(vectors_ * lanes_, launch),
        b_(vectors_ * lanes_, launch),
        c_(vectors_ * lanes_, launch),
        item_sums_(dealing_.items, launch),
        last_sums_(DotDealing::sums, launch),
        witness_(1, launch) {
    if (!is_whole()) return;
    const Witness none;
    witness_.write(1, &none);
    if (!inside.is_gpu())
      for (const auto* array : {&a_, &b_, &c_}) array->lie_on_huge_pages();
  }
  bool is_whole() const { return a_ && b_ && c_ && item_sums_ && last_sums_ && witness_; }

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
  std::int64_t regions() const override { return regions_; }

 private:
  static Vector<T>* vectors_of(const DeviceArray<T>& array) {
    return reinterpret_cast<Vector<T>*>(array.data());
  }

  std::int64_t elements_;
  int lanes_;
  std::int64_t vectors_;
  Launch launch_;
  DotDealing dealing_;
  DeviceArray<T> a_, b_, c_;
  DeviceArray<T> item_sums_;
  DeviceArray<double> last_sums_;
  DeviceArray<Witness> witness_;
  std::int64_t regions_ = 0;
};

// Each kernel is one region over all vectors; the pointers are the device's own, so nothing is looked up or
// transferred.

template <class T>
void AllocatedStream<T>::init() {
  Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_), *const c = vectors_of(c_);
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_, elements = elements_;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
#pragma omp target teams distribute parallel for is_device_ptr(a, b, c, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t i = 0; i < vectors; ++i) {
    a[i] = start_vector<T>(T(stream_start_a), i, elements);
    b[i] = start_vector<T>(T(stream_start_b), i, elements);
    c[i] = start_vector<T>(T(stream_start_c), i, elements);
    if (i == 0) testify(witness);
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
#pragma omp target teams distribute parallel for is_device_ptr(a, c, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t i = 0; i < vectors; ++i) {
    c[i] = a[i];
    if (i == 0) testify(witness);
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
#pragma omp target teams distribute parallel for is_device_ptr(b, c, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t i = 0; i < vectors; ++i) {
    b[i] = T(stream_scalar) * c[i];
    if (i == 0) testify(witness);
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
#pragma omp target teams distribute parallel for is_device_ptr(a, b, c, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t i = 0; i < vectors; ++i) {
    c[i] = a[i] + b[i];
    if (i == 0) testify(witness);
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
#pragma omp target teams distribute parallel for is_device_ptr(a, b, c, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t i = 0; i < vectors; ++i) {
    a[i] = b[i] + T(stream_scalar) * c[i];
    if (i == 0) testify(witness);
  }
  ++regions_;
}

template <class T>
double AllocatedStream<T>::dot() {
  const Vector<T>*const a = vectors_of(a_), *const b = vectors_of(b_);
  T* const item_sums = item_sums_.data();
  double* const last_sums = last_sums_.data();
  Witness* const witness = witness_.data();
  const std::int64_t vectors = vectors_, items = dealing_.items, item_step = dealing_.item_step,
                     turn_step = dealing_.turn_step;
  const int device = launch_.device, threads = launch_.threads;
  const int teams = std::max<std::int64_t>(1, std::min<std::int64_t>(launch_.teams, items / threads));
#pragma omp target teams distribute parallel for is_device_ptr(a, b, item_sums, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (std::int64_t item = 0; item < items; ++item) {
    item_sums[item] = dot_of_item<T>(a, b, vectors, item * item_step, turn_step);
    if (item == 0) testify(witness);
  }
  constexpr int sums = DotDealing::sums;
#pragma omp target teams distribute parallel for is_device_ptr(item_sums, last_sums, witness) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
  for (int sum = 0; sum < sums; ++sum) {
    CompensatedSum items_sum;
    for (std::int64_t item = sum; item < items; item += sums)
      items_sum.add(static_cast<double>(item_sums[item]));
    last_sums[sum] = items_sum.value();
    if (sum == 0) testify(witness);
  }
  regions_ += 2;
  double values[sums];
  last_sums_.read(0, sums, values);
  CompensatedSum total;
  for (const double value : values) total.add(value);
  return total.value();
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
