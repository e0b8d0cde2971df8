#include "openmp_target/kernels.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/cpu/aligned.hpp"
#include "common/lattice.hpp"

#pragma omp begin declare target
#include "common/cpu/simd.hpp"
#include "openmp_target/testify.hpp"
#pragma omp end declare target

namespace boltzmark::openmp_target {

namespace {

/// Cells that one thread updates in one go, as far as this image is concerned.
struct ImageLanes {
#if defined(__NVPTX__) || defined(__AMDGCN__)
  enum : int {
    f32 = 1,
    f64 = 1
  };  // neighbouring threads have neighbouring cells: the hardware makes the vectors
#else
  enum : int { f32 = native_lanes<float>, f64 = native_lanes<double> };
#endif
};
template <class T>
using Vector = Pack<T, sizeof(T) == sizeof(float) ? int{ImageLanes::f32} : int{ImageLanes::f64}>;

/// The lattice's tables as names of numbers: tables of their own on the device would be entries in its image
/// that the optimiser removes and the CUDA plugin then misses.
template <int I>
struct Direction {
  enum : int { x = Lattice::cx[I], y = Lattice::cy[I] };
};

using Directions = std::make_integer_sequence<int, Lattice::directions>;

#pragma omp begin declare target

Surroundings surroundings() {
  Surroundings here;
  here.on_device = !omp_is_initial_device();
#if defined(__NVPTX__)
  here.architecture = Architecture::nvptx64;
  here.architecture_level = __CUDA_ARCH__;
#elif defined(__AMDGCN__)
  here.architecture = Architecture::amdgcn;
#elif defined(__x86_64__)
  here.architecture = Architecture::x86_64;
#elif defined(__aarch64__)
  here.architecture = Architecture::aarch64;
#endif
  here.code = reinterpret_cast<std::uintptr_t>(&surroundings);
  here.processors = omp_get_num_procs();
  here.max_threads = omp_get_max_threads();
  here.lanes_f32 = ImageLanes::f32;
  here.lanes_f64 = ImageLanes::f64;
  return here;
}

/// What every region reads; on the device once for the whole run, because a region copies the structures it
/// captures.
template <class T>
struct Setup {
  Layout layout;
  Relaxation<T> relaxation;
};

/// `at` is x = 0 of direction 0 of a row whose cells begin .. end-1 are new: copies those at the edges to
/// where their periodic neighbours look for them.
template <class T, int... I>
CELL_FN void fill_pads(const Layout& l, T* at, int begin, int end, std::integer_sequence<int, I...>) {
  if (begin == 0) ((Direction<I>::x < 0 ? void(at[I * l.pitch + l.nx] = at[I * l.pitch]) : void()), ...);
  if (end == l.nx)
    ((Direction<I>::x > 0 ? void(at[I * l.pitch - 1] = at[I * l.pitch + l.nx - 1]) : void()), ...);
}

/// The body force of the first step on cell x of the accelerated row.
template <class T, int... I>
CELL_FN void push_cell(const Setup<T>& setup, const std::uint32_t* blocked, T* grid, int x,
                       std::integer_sequence<int, I...> directions) {
  const Layout& l = setup.layout;
  T* const at = grid + l.origin + l.row * l.accelerated_row;
  const bool fluid = !(blocked[std::int64_t{l.words} * l.accelerated_row + unsigned(x) / Layout::word] >>
                           unsigned(x) % Layout::word &
                       1);
  const Populations<T> a = accelerate(Populations<T>{{at[I * l.pitch + x]...}}, fluid, setup.relaxation);
  ((at[I * l.pitch + x] = a.f[I]), ...);
  fill_pads(l, at, x, x + 1, directions);
}

/// Row number in the periodic grid, for rows one beyond its edges.
CELL_FN int wrapped(int row, int rows) { return row < 0 ? row + rows : row >= rows ? row - rows : row; }

/// One time step of cells begin .. end-1 of row y: propagate, rebound, collide, and where `push` the body
/// force of the next step. Returns the sum of |u| over the fluid ones. An image that updates more than one
/// cell in one go writes up to its next vector boundary, into the pad, so it takes whole rows only.
template <class T, int... I>
CELL_FN double update_cells(const Setup<T>& setup, const std::uint32_t* blocked, const T* from, T* to, int y,
                            int begin, int end, bool push, std::integer_sequence<int, I...> directions) {
  using Pack = Vector<T>;
  // Copies: stores to the grid cannot change them. Nothing here may escape to another function by address,
  // not even to a lambda: GPU images would keep it in memory from a device-wide malloc.
  const Layout l = setup.layout;
  const Relaxation<T> c = setup.relaxation;
  constexpr int lanes = sizeof(Pack) / sizeof(T);
  // Where direction I of cell x = 0 arrives from: the row against its motion, one column against its motion.
  const T* const arriving[] = {from + l.origin + l.row * wrapped(y - Direction<I>::y, l.ny) + I * l.pitch -
                               Direction<I>::x...};
  T* const at = to + l.origin + l.row * y;
  const std::uint32_t* const words = blocked + std::int64_t{l.words} * y;
  constexpr std::uint32_t all_lanes = (std::uint64_t{1} << lanes) - 1;
  Pack speeds = Pack::zero();
  for (int x = begin; x < end; x += lanes) {
    const Populations<Pack> arrived = {{Pack::load(arriving[I] + x)...}};
    const auto m = moments_of(arrived, c);
    Populations<Pack> out = collide(arrived, m, c);
    Pack speed = speed_of(m, c);
    const std::uint32_t bits = words[unsigned(x) / Layout::word] >> unsigned(x) % Layout::word & all_lanes;
    if (bits != 0) {  // most vectors have no obstacle, and a branch that is rarely taken costs nothing
      const auto mask = Pack::mask_from_bits(bits);
      const Populations<Pack> turned = bounce_back(arrived);
      ((out.f[I] = choose(mask, turned.f[I], out.f[I])), ...);
      speed = choose(mask, Pack::zero(), speed);
    }
    speeds = speeds + speed;
    if (push) out = accelerate(out, ~Pack::mask_from_bits(bits), c);
    (out.f[I].store(at + I * l.pitch + x), ...);
  }
  fill_pads(l, at, begin, end, directions);
  return static_cast<double>(speeds.sum());
}

#pragma omp end declare target

}  // namespace

Surroundings look_round(int device) {
  Surroundings found;
#pragma omp target map(tofrom : found) device(device)
  found = surroundings();
  return found;
}

bool has_memory(int device, std::size_t bytes) {
  void* const trial = omp_target_alloc(bytes, device);
  if (trial) omp_target_free(trial, device);
  return trial != nullptr;
}

Layout::Layout(int nx_cells, int ny_cells, int value_bytes)
    : nx(nx_cells), ny(ny_cells), accelerated_row(ny - 2), words((nx + word - 1) / word) {
  pitch = word * (words + 1);
  if (pitch * value_bytes % 4096 == 0)
    pitch += word;  // segments that lie 4 KiB apart fight for the same cache lines
  row = std::int64_t{pitch} * Lattice::directions;
  values = row * ny + 2 * word;
}

namespace {

/// `size` values on the host and their counterpart on a device, mapped as long as this lives. The device's
/// side begins on a vector boundary. Neither side is initialised; host pages that nobody writes cost nothing.
template <class T>
class MappedArray {
 public:
  MappedArray(std::size_t size, int device)
      : host_(size + boundary / sizeof(T)), device_(device), size_(size) {
    T* at = host_.data();
#pragma omp target enter data map(alloc : at [0:host_.size()]) device(device)
    std::uintptr_t address = 0;
#pragma omp target data use_device_ptr(at) device(device)
    address = reinterpret_cast<std::uintptr_t>(at);
    // The runtime's allocations for a host device begin anywhere.
    offset_ = (boundary - address % boundary) % boundary / sizeof(T);
  }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray() {
    T* const all = host_.data();
#pragma omp target exit data map(delete : all [0:host_.size()]) device(device_)
  }

  void to_device() {
    T* const host = data();
#pragma omp target update to(host [0:size_]) device(device_)
  }
  void from_device() {
    T* const host = data();
#pragma omp target update from(host [0:size_]) device(device_)
  }
  /// On the host; a region turns it into the address on the device.
  T* data() { return host_.data() + offset_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  static constexpr std::size_t boundary = 64;  ///< bytes: the widest vectors, and a cache line
  AlignedArray<T> host_;
  int device_;
  std::size_t size_, offset_ = 0;
};

template <class T>
class MappedGrids : public DeviceGrids<T> {
 public:
  MappedGrids(const Layout& layout, const Relaxation<T>& relaxation, const std::uint32_t* blocked,
              Launch launch, int cells_per_item);
  void set_start_state() override;
  void run(int steps, double* sums) override;
  const T* fetch() override;
  Witness witness() override;
  std::int64_t regions() const override { return regions_; }

 private:
  void accelerate_start();
  void step(int step, bool last, double* sums);

  Layout layout_;
  Launch launch_;
  int cells_per_item_;
  MappedArray<Setup<T>> setup_;
  MappedArray<std::uint32_t> blocked_;
  MappedArray<T> first_, second_;  ///< the grids; step s reads the first when s is even
  MappedArray<Witness> witness_;
  std::int64_t regions_ = 0;
  int steps_done_ = 0;
};

template <class T>
MappedGrids<T>::MappedGrids(const Layout& layout, const Relaxation<T>& relaxation,
                            const std::uint32_t* blocked, Launch launch, int cells_per_item)
    : layout_(layout),
      launch_(launch),
      cells_per_item_(cells_per_item),
      setup_(1, launch.device),
      blocked_(static_cast<std::size_t>(layout.words) * layout.ny, launch.device),
      first_(static_cast<std::size_t>(layout.values), launch.device),
      second_(static_cast<std::size_t>(layout.values), launch.device),
      witness_(1, launch.device) {
  setup_[0] = {layout, relaxation};
  setup_.to_device();
  std::copy_n(blocked, blocked_.size(), blocked_.data());
  blocked_.to_device();
  witness_[0] = {};
  witness_.to_device();
}

template <class T>
void MappedGrids<T>::set_start_state() {
  T *const first = first_.data(), *const second = second_.data();
  const std::int64_t values = layout_.values;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  Witness* const witness = witness_.data();
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
  for (std::int64_t i = 0; i < values; ++i) {
    first[i] = second[i] = T(0);
    if (i == 0) testify(witness);
  }
  ++regions_;
  steps_done_ = 0;
}

template <class T>
void MappedGrids<T>::accelerate_start() {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  const std::uint32_t* const blocked = blocked_.data();
  T* const grid = first_.data();
  const int nx = layout_.nx;
  Witness* const witness = witness_.data();
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
  for (int x = 0; x < nx; ++x) {
    push_cell(*setup, blocked, grid, x, Directions{});
    if (x == 0) testify(witness);
  }
  ++regions_;
}

template <class T>
void MappedGrids<T>::step(int step, bool last, double* sums) {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  const int width = cells_per_item_, items = layout_.nx / width, rows = layout_.ny;
  const std::uint32_t* const blocked = blocked_.data();
  const T* const from = step % 2 ? second_.data() : first_.data();
  T* const to = step % 2 ? first_.data() : second_.data();
  Witness* const witness = witness_.data();
  const int accelerated_row = last ? -1 : layout_.accelerated_row;
  // The reduction's variable lies in the array that stays on the device: nothing is transferred.
#pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads) reduction(+ : sums[step : 1])
  for (int y = 0; y < rows; ++y)
    for (int item = 0; item < items; ++item) {
      const bool push = y == accelerated_row;
      sums[step] +=
          update_cells(*setup, blocked, from, to, y, item * width, (item + 1) * width, push, Directions{});
      if (y == 0 && item == 0) testify(witness);
    }
  ++regions_;
}

template <class T>
void MappedGrids<T>::run(int steps, double* sums) {
  const int device = launch_.device;
#pragma omp target enter data map(to : sums [0:steps]) device(device)
  accelerate_start();
  for (int t = 0; t < steps; ++t) step(t, t == steps - 1, sums);
#pragma omp target exit data map(from : sums [0:steps]) device(device)
  steps_done_ = steps;
}

template <class T>
const T* MappedGrids<T>::fetch() {
  MappedArray<T>& newest = steps_done_ % 2 ? second_ : first_;
  newest.from_device();
  return newest.data();
}

template <class T>
Witness MappedGrids<T>::witness() {
  witness_.from_device();
  return witness_[0];
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> map_grids(const Layout& layout, const Relaxation<T>& relaxation,
                                          const std::uint32_t* blocked, Launch launch, int cells_per_item) {
  return std::make_unique<MappedGrids<T>>(layout, relaxation, blocked, launch, cells_per_item);
}
template std::unique_ptr<DeviceGrids<float>> map_grids(const Layout&, const Relaxation<float>&,
                                                       const std::uint32_t*, Launch, int);
template std::unique_ptr<DeviceGrids<double>> map_grids(const Layout&, const Relaxation<double>&,
                                                        const std::uint32_t*, Launch, int);

}  // namespace boltzmark::openmp_target
