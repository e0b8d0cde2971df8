// As published: grids that are mapped once with `target enter data`, and a step that is one `target teams
// distribute parallel for collapse(2) reduction(+:tot_u)` (Rutterford, "OpenCL Parallelism", University of
// Bristol report, on the OpenMP target version of this code).
#include <algorithm>

#include "common/cpu/aligned.hpp"
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/kernels.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// `size` values on the host and their counterpart on a device, mapped as long as this lives. Neither side is
/// initialised; host pages that nobody writes cost nothing.
template <class T>
class MappedArray {
 public:
  MappedArray(std::int64_t size, int device) : host_(static_cast<std::size_t>(size)), device_(device) {
    T* const all = host_.data();
#pragma omp target enter data map(alloc : all [0:host_.size()]) device(device)
  }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray() {
    T* const all = host_.data();
#pragma omp target exit data map(delete : all [0:host_.size()]) device(device_)
  }

  void to_device() {
    T* const all = host_.data();
#pragma omp target update to(all [0:host_.size()]) device(device_)
  }
  void from_device() {
    T* const all = host_.data();
#pragma omp target update from(all [0:host_.size()]) device(device_)
  }
  /// On the host; a region turns it into the address on the device.
  T* data() { return host_.data(); }
  std::size_t size() const { return host_.size(); }

 private:
  AlignedArray<T> host_;
  int device_;
};

template <class T>
class Published : public DeviceGrids<T> {
 public:
  explicit Published(const GridSetup<T>& setup);
  void set_start_state() override;
  bool run(int steps, double* sums) override;
  const T* fetch() override;
  Launch launch() const override { return launch_; }
  Witness witness() override;
  std::int64_t regions() const override { return regions_; }

 private:
  void accelerate_start();
  double do_step(int step, bool last);

  Layout layout_;
  Launch launch_;
  MappedArray<Setup<T>> setup_;
  MappedArray<std::uint32_t> blocked_;
  MappedArray<T> first_, second_;  ///< the grids; step s reads the first when s is even
  MappedArray<Witness> witness_;
  std::int64_t regions_ = 0;
  int steps_done_ = 0;
};

template <class T>
Published<T>::Published(const GridSetup<T>& setup)
    : layout_(setup.layout),
      launch_(setup.launch),
      setup_(1, setup.launch.device),
      blocked_(std::int64_t{setup.layout.words} * setup.layout.ny, setup.launch.device),
      first_(setup.layout.values, setup.launch.device),
      second_(setup.layout.values, setup.launch.device),
      witness_(1, setup.launch.device) {
  *setup_.data() = {layout_, setup.relaxation};
  setup_.to_device();
  std::copy_n(setup.blocked, blocked_.size(), blocked_.data());
  blocked_.to_device();
  *witness_.data() = {};
  witness_.to_device();
}

// A number of threads stands in every region: without it some versions of LLVM read the default before it is
// there.

template <class T>
void Published<T>::set_start_state() {
  T *const first = first_.data(), *const second = second_.data();
  const std::int64_t values = layout_.values;
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  Witness* const witness = witness_.data();
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
  for (std::int64_t i = 0; i < values; ++i) {
    first[i] = second[i] = T(0);
    if (i == 0) testify(witness, teams, threads);
  }
  ++regions_;
  steps_done_ = 0;
}

template <class T>
void Published<T>::accelerate_start() {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  const std::uint32_t* const blocked = blocked_.data();
  T* const grid = first_.data();
  const int nx = layout_.nx;
  Witness* const witness = witness_.data();
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
  for (int x = 0; x < nx; ++x) {
    push_cell(setup->layout, setup->relaxation, blocked, grid, x, Directions{});
    if (x == 0) testify(witness, teams, threads);
  }
  ++regions_;
}

template <class T>
double Published<T>::do_step(int step, bool last) {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  const int nx = layout_.nx, ny = layout_.ny;
  const std::uint32_t* const blocked = blocked_.data();
  const T* const from = step % 2 ? second_.data() : first_.data();
  T* const to = step % 2 ? first_.data() : second_.data();
  Witness* const witness = witness_.data();
  const int accelerated_row = last ? -1 : layout_.accelerated_row;
  double tot_u = 0.0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : tot_u) map(tofrom : tot_u) \
    device(device) num_teams(teams) thread_limit(threads) num_threads(threads)
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const Layout l = setup->layout;
      const Relaxation<T> c = setup->relaxation;
      tot_u += static_cast<double>(
          update_two_grid<1>(l, c, blocked, from, to, y, x, x + 1, y == accelerated_row, Directions{}));
      if (y == 0 && x == 0) testify(witness, teams, threads);
    }
  ++regions_;
  return tot_u;
}

template <class T>
bool Published<T>::run(int steps, double* sums) {
  accelerate_start();
  for (int step = 0; step < steps; ++step) sums[step] = do_step(step, step == steps - 1);
  steps_done_ = steps;
  return true;
}

template <class T>
const T* Published<T>::fetch() {
  MappedArray<T>& newest = steps_done_ % 2 ? second_ : first_;
  newest.from_device();
  return newest.data();
}

template <class T>
Witness Published<T>::witness() {
  witness_.from_device();
  return *witness_.data();
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> make_published(const GridSetup<T>& setup) {
  return std::make_unique<Published<T>>(setup);
}
template std::unique_ptr<DeviceGrids<float>> make_published(const GridSetup<float>&);
template std::unique_ptr<DeviceGrids<double>> make_published(const GridSetup<double>&);

}  // namespace boltzmark::openmp_target
