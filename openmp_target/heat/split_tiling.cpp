// Split tiling on a processor: several steps in one sweep over tiles of rows, and many sweeps in a region, in which the
// threads of the team meet after each phase. The tiles are drawn in common/cpu/split_tiling.hpp, the work on one in
// common/heat/cpu/ skewed_sweep.hpp.
//
//     target   for all sweeps   my tiles   the steps of their rows, of each step a row less at either end
//                               barrier
//                               my gaps    the steps of the rows that are left between two tiles
//                               barrier
#include <optional>
#include <vector>

#include "common/cpu/split_tiling.hpp"
#include "openmp_target/runtime/on_device.hpp"

// Must follow the declarations for devices in team.hpp.
#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/solver.hpp"
#include "common/heat/traffic.hpp"

namespace boltzmark::openmp_target {
using namespace heat;
namespace {

#pragma omp begin declare target
#if defined(__NVPTX__) || defined(__AMDGCN__)
template <class... All>
KERNEL_FN void run_sweeps(const All&...) {}
#else

/// `steps` steps from grid `first` on, called by all threads of the team; thread t adds the changes of step s to
/// sums[t * steps + s].
template <class T, class Sweep>
void run_sweeps(const GridRows<T>& grids, const SplitTiling& tiling, const Sweep& sweep, int first, int steps,
                double* sums) {
  const int me = omp_get_thread_num(), threads = omp_get_num_threads();
  double* const mine = sums + std::int64_t{me} * steps;
  for (int step = 0; step < steps; ++step) mine[step] = 0.0;
  for (int done = 0; done < steps; done += tiling.depth()) {
    const int levels = std::min(tiling.depth(), steps - done);
    const Range tiles = part_of(tiling.tiles(), me, threads), gaps = part_of(tiling.gaps(), me, threads);
    for (auto tile = tiles.begin; tile < tiles.end; ++tile)
      sweep.run(grids, first + done, levels, tiling.tile(static_cast<int>(tile)), mine + done);
#pragma omp barrier
    for (auto gap = gaps.begin; gap < gaps.end; ++gap)
      sweep.run(grids, first + done, levels, tiling.gap(static_cast<int>(gap)), mine + done);
#pragma omp barrier
  }
}
#endif
#pragma omp end declare target

template <class T>
class Tiles : public OnDevice<Solver> {
  using Sweep = SkewedSweep<T, ImageLanes<T>::value>;

 public:
  explicit Tiles(const Options& asked)
      : OnDevice<Solver>(asked), depth_(asked.number("time-block").value_or(usual_depth)) {
    expect_processor("split-tiling", device_);
  }

  std::string shortage(double bytes) override { return shortage_for(bytes, true); }

  void init(const Plate& plate, int steps) override {
    plate_ = plate;
    steps_ = steps;
    launch_over(plate.width * plate.height);
    now_ = 0;
    tiling_.emplace(static_cast<int>(plate.height), false, launch_.threads, depth_);
    sweep_.emplace(plate.width, tiling_->depth());
    const std::ptrdiff_t pitch = rows_.pitch = Grids<T>::pitch_for(plate.width);
    values_.resize(static_cast<std::size_t>(pitch * (plate.height + 3)));
    for (std::int64_t row = -1; row <= plate.height; ++row) plate.fill(row, &values_[at(row) - 1]);
    for (int i = 0; i < 2; ++i) {
      const std::ptrdiff_t begin = i * Grids<T>::half_page, size = static_cast<std::ptrdiff_t>(values_.size());
      grids_[i] = DeviceArray<T>(begin + size, device_.number);
      grids_[i].use_huge_pages();
      grids_[i].write(begin, size, values_.data());
      rows_.row_0[i] = grids_[i].data() + begin + at(0);
    }
    sums_ = DeviceArray<double>(std::int64_t{launch_.threads} * most_steps, device_.number);
  }
  int steps_per_look() const override { return tiling_->depth(); }

  void advance(std::span<double> deltas) override {
    for (std::size_t first = 0; first < deltas.size(); first += most_steps)
      run_region(deltas.subspan(first, std::min<std::size_t>(most_steps, deltas.size() - first)));
  }

  void collect() override {
    grids_[now_].read(now_ * Grids<T>::half_page, static_cast<std::int64_t>(values_.size()), values_.data());
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(&values_[at(row)], values.size(), values.begin());
  }

  /// Counted as if every step were a separate sweep.
  RunFacts facts() const override {
    RunFacts facts = facts_with(2.0 * sizeof(T));
    facts.steps_per_launch = tiling_->depth();
    facts.traffic = swept_in_turns(
        plate_, sizeof(T), steps_, tiling_->depth(), sweep_->window_bytes(std::min(launch_.threads, tiling_->tiles())),
        sweep_->near_bytes(std::min(launch_.threads, tiling_->tiles())),
        {sweep_->share_again() + tiling_->share_again(), sweep_->strip_bytes(plate_.height / tiling_->tiles())});
    facts.settings["tiles"] = tiling_->tiles();
    return facts;
  }

 private:
  enum : int { most_steps = 4096 };  ///< of a region: whole sweeps, except in the last

  std::size_t at(std::int64_t row) const { return static_cast<std::size_t>((row + 1) * rows_.pitch + Grids<T>::line); }

  void run_region(std::span<double> deltas) {
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const int first = now_, steps = static_cast<int>(deltas.size());
    const GridRows<T> rows = rows_;
    const SplitTiling tiling = *tiling_;
    const Sweep sweep = *sweep_;
    double* const sums = sums_.data();
    LaunchRecord* const record = record_.data();
#pragma omp target teams is_device_ptr(sums, record) firstprivate(rows, tiling, sweep) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      run_sweeps(rows, tiling, sweep, first, steps, sums);
    }
    ++regions_;
    now_ = (now_ + steps) % 2;
    std::vector<double> of_threads(static_cast<std::size_t>(threads) * deltas.size());
    sums_.read(0, static_cast<std::int64_t>(of_threads.size()), of_threads.data());
    std::fill(deltas.begin(), deltas.end(), 0.0);
    for (std::size_t i = 0; i < of_threads.size(); ++i) deltas[i % deltas.size()] += of_threads[i];
  }

  int depth_, steps_ = 0;
  Plate plate_;
  std::optional<SplitTiling> tiling_;
  std::optional<Sweep> sweep_;
  int now_ = 0;              ///< the grid that holds the current temperatures
  GridRows<T> rows_;         ///< on the device
  DeviceArray<T> grids_[2];  ///< in the layout of common/heat/cpu/plate_grids.hpp
  DeviceArray<double> sums_;
  std::vector<T> values_;  ///< on the host: the temperatures at the start, and when collected
};

}  // namespace

extern const Variant split_tiling = {
    .name = "split-tiling",
    .summary = "for processors: several steps in one sweep over tiles of rows, many sweeps per region",
    .options = {time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of<Solver, Tiles>};

}  // namespace boltzmark::openmp_target
