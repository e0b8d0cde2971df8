// The host's side of a run: what is laid out, launched, checked and collected. How a step is done is the
// device's side, see grids.hpp.
#include <fmt/core.h>

#include "common/cpu/wavefront.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "openmp_target/lbm/facts.hpp"
#include "openmp_target/lbm/grids.hpp"
#include "openmp_target/lbm/variants.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// One bit per cell, 1 = solid, in the words that Layout describes.
std::vector<std::uint32_t> solid_mask(const Problem& problem, const Layout& layout) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(layout.words * layout.rows()));
  const auto set = [&](std::int64_t x, std::int64_t y) {
    words[static_cast<std::size_t>(y * layout.words + x / Layout::word)] |= 1u << x % Layout::word;
  };
  for (const std::int64_t cell : problem.solid) set(cell % layout.nx, cell / layout.nx);
  for (std::int64_t y = 0; y < layout.rows(); ++y)
    for (int x = layout.nx; x < layout.words * Layout::word; ++x) set(x, y);
  return words;
}

/// Calls use(index) for every place where population i of cell x of a row is: its own, and at a row's end the one in
/// the pad where a periodic neighbour reads it.
template <class L, class Use>
void at_each_place(const Layout& layout, int i, int x, std::int64_t row, Use&& use) {
  use(layout.at(i, x, row));
  if (x == 0 && L::cx[i] < 0) use(layout.at(i, layout.nx, row));
  if (x == layout.nx - 1 && L::cx[i] > 0) use(layout.at(i, -1, row));
}

/// What moving walls add after a step to the grid that it wrote. `streamed`: the step leaves populations with the
/// neighbours that they move to, in the opposites' places.
template <class T, class L>
std::vector<WallGain<T>> wall_gains(const Problem& problem, const Layout& layout, bool streamed) {
  std::vector<WallGain<T>> gains;
  const int nx = layout.nx, ny = layout.ny, nz = layout.nz;
  for (const WallPush& push : wall_pushes<L>(problem)) {
    int x = static_cast<int>(push.cell % nx), i = push.direction;
    std::int64_t row = push.cell / nx;
    if (streamed) {
      x = (x + L::cx[i] + nx) % nx;
      row = (row / ny + L::cz[i] + nz) % nz * ny + (row % ny + L::cy[i] + ny) % ny;
      i = L::opposite[i];
    }
    at_each_place<L>(layout, i, x, row, [&](std::int64_t value) {
      gains.push_back({push.cell, value, static_cast<T>(push.momentum)});
    });
  }
  return gains;
}

/// What a variant needs of the device, and how its grids are made.
template <class T, class L>
struct Scheme {
  std::string name;
  int grids;
  bool co_resident;  ///< all teams are on the device at a time
  std::unique_ptr<DeviceGrids<T>> (*make)(const GridSetup<T, L>&);
};

template <class T, class L>
Scheme<T, L> scheme_of(const std::string& variant) {
  if (variant == "fused") return {variant, 2, false, make_two_grids<T, L>};
  if (variant == "in-place") return {variant, 1, false, make_in_place<T, L>};
  return {variant, 1, true, make_persistent<T, L>};
}

template <class T, class L>
class TargetSolver : public Solver {
 public:
  TargetSolver(const std::string& variant, const OffloadDevice& device, std::optional<int> threads)
      : scheme_(scheme_of<T, L>(variant)), device_(device), asked_threads_(threads) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    layout_ = Layout({p.nx, p.ny, p.nz}, p.driven_row(), L::directions, sizeof(T));
    if (problem.cells() >= std::int64_t{1} << 32)
      throw unavailable("{}: expected fewer than 2^32 cells, found {}", device_.name(), problem.cells());
    const double bytes = static_cast<double>(scheme_.grids) * sizeof(T) * static_cast<double>(layout_.values);
    require_memory_on(device_, scheme_.grids, bytes);
    const std::vector<std::uint32_t> solid = solid_mask(problem, layout_);
    const Launch launch = scheme_.co_resident
                              ? launch_for_one_wave(device_, asked_threads_, problem.cells(), sizeof(T))
                              : launch_for(device_, asked_threads_, problem.cells());
    const bool in_place = scheme_.grids == 1;
    grids_ = scheme_.make(
        {layout_,
         make_relaxation<T, L>(p),
         solid.data(),
         {wall_gains<T, L>(problem, layout_, in_place), wall_gains<T, L>(problem, layout_, false)},
         launch,
         device_.properties.sum_group,
         lanes(),
         !device_.properties.is_gpu(),
         steps_of_a_sweep(launch)});
    if (!grids_) throw memory_error(device_, scheme_.grids, bytes, "less");
    grids_->set_start_state();
    if (!starts_at_rest(p)) write_start_state();
    confirm();
  }

  void run(int steps, std::span<double> av_vels) override {
    if (!grids_->run(steps, av_vels.data()))
      throw unavailable(
          "{}: {} teams of variant {} timed out waiting for one another, so the device does not hold all of "
          "them at a time; use --variant in-place",
          device_.name(), grids_->launch().teams, scheme_.name);
    const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
    for (double& value : av_vels) value /= fluid_cells;
  }

  /// Reads what the regions recorded.
  void confirm() override {
    record_ = grids_->record();
    check_launches(device_, record_, grids_->regions(), grids_->launch());
  }

  void collect(State& state) override {
    const T* const grid = grids_->fetch();
    const int nx = layout_.nx, ny = layout_.ny, nz = layout_.nz;
    const bool is_streamed = grids_->is_streamed();
    collect_fields<L>(
        nx, ny * nz, problem_->parameters.density, fields_of(state), [&](int i, int x, int row) {
          if (!is_streamed) return grid[layout_.at(i, x, row)];
          const int to_y = (row % ny + L::cy[i] + ny) % ny, to_z = (row / ny + L::cz[i] + nz) % nz;
          return grid[layout_.at(L::opposite[i], (x + L::cx[i] + nx) % nx, to_y + std::int64_t{ny} * to_z)];
        });
  }

  RunFacts facts() const override {
    RunFacts facts =
        lbm_facts<T, L>(device_, grids_->launch(), record_, scheme_.grids, grids_->steps_per_region());
    facts.settings["vector_lanes"] = lanes();
    if (grids_->sweep_steps() > 1) facts.settings["time_block"] = grids_->sweep_steps();
    return facts;
  }

 private:
  int lanes() const { return sizeof(T) == 4 ? device_.properties.lanes_f32 : device_.properties.lanes_f64; }

  /// Threads that wait for each other over many steps have bands of rows, and none with fewer rows than steps.
  int steps_of_a_sweep(const Launch& launch) const {
    if (!scheme_.co_resident || device_.properties.is_gpu() || L::dimension != 2) return 1;
    const std::size_t row_bytes = static_cast<std::size_t>(layout_.nx) * L::directions * sizeof(T);
    return std::min(default_time_block(row_bytes), layout_.ny / launch.threads);
  }

  void write_start_state() {
    const Parameters& p = problem_->parameters;
    std::vector<T> plane(static_cast<std::size_t>(layout_.row * p.ny));
    for (int z = 0; z < p.nz; ++z) {
      const std::vector<std::uint8_t> solid = problem_->solid_mask(z, 1);
      for (int y = 0; y < p.ny; ++y)
        for (int x = 0; x < p.nx; ++x) {
          const auto cell =
              start_populations<L>(p, x, y, z, solid[static_cast<std::size_t>(y) * p.nx + x] != 0);
          for (int i = 0; i < L::directions; ++i)
            at_each_place<L>(layout_, i, x, y, [&](std::int64_t value) {
              plane[static_cast<std::size_t>(value - layout_.origin)] = static_cast<T>(cell.f[i]);
            });
        }
      grids_->write_rows(std::int64_t{p.ny} * z, p.ny, plane.data());
    }
  }

  Scheme<T, L> scheme_;
  OffloadDevice device_;
  std::optional<int> asked_threads_;
  const Problem* problem_ = nullptr;
  Layout layout_;
  std::unique_ptr<DeviceGrids<T>> grids_;
  LaunchRecord record_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const Problem& problem, const std::string& variant, Precision precision,
                                    const OffloadDevice& device, std::optional<int> threads) {
  return lbm::make_solver<TargetSolver>(problem, precision, variant, device, threads);
}

std::string fastest_variant(const Problem& problem, Precision precision, const OffloadDevice& device) {
  if (!device.properties.is_gpu()) return "persistent";
  if (!device.properties.teams_can_wait) return "fused";
  // Beyond a GPU's cache a step is bound by memory, and two grids are read and written in the more regular
  // way. On an H200 (50 MB) the change is between 38 and 151 MB in one grid.
  constexpr std::int64_t most_bytes = std::int64_t{80} << 20;
  const int directions = problem.parameters.dimension == 2 ? D2Q9::directions : D3Q19::directions;
  const std::int64_t bytes = problem.cells() * directions * bytes_of(precision);
  return bytes <= most_bytes ? "persistent" : "fused";
}

}  // namespace boltzmark::openmp_target
