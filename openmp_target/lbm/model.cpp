// The host's side of a run: what is laid out, launched, checked and collected. How a step is done is the
// device's side, see kernels.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "common/lbm/counting.hpp"
#include "common/base/error.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "openmp_target/lbm/variants.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// One bit a cell, 1 = blocked, in the words that Layout describes.
std::vector<std::uint32_t> blocked_bits(const Problem& problem, const Layout& layout) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(layout.words) * layout.ny);
  const auto set = [&](std::int64_t x, std::int64_t y) {
    words[static_cast<std::size_t>(y * layout.words + x / Layout::word)] |= 1u << x % Layout::word;
  };
  for (const std::int64_t cell : problem.blocked) set(cell % layout.nx, cell / layout.nx);
  for (int y = 0; y < layout.ny; ++y)
    for (int x = layout.nx; x < layout.words * Layout::word; ++x) set(x, y);
  return words;
}

/// What a variant needs of the device and how its steps are made.
struct Scheme {
  const char* name;
  int grids;
  bool one_wave;  ///< all teams are on the device at a time
  template <class T>
  std::unique_ptr<DeviceGrids<T>> make(const GridSetup<T>& setup) const {
    const std::string_view variant = name;
    if (variant == "published") return make_published(setup);
    if (variant == "fused") return make_two_grids(setup);
    if (variant == "in-place") return make_in_place(setup);
    return make_persistent(setup);
  }
};
constexpr Scheme schemes[] = {
    {"published", 2, false}, {"fused", 2, false}, {"in-place", 1, false}, {"persistent", 1, true}};

template <class T>
class TargetModel : public Solver {
 public:
  TargetModel(const Scheme& scheme, const OffloadDevice& device, std::optional<int> threads)
      : scheme_(scheme), device_(device), asked_(threads) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    layout_ = Layout(p.nx, p.ny, sizeof(T));
    if (problem.cells() >= std::int64_t{1} << 32)
      throw unavailable("{}: expected fewer than 2^32 cells, found {}", device_.name(), problem.cells());
    const double bytes = static_cast<double>(scheme_.grids) * sizeof(T) * static_cast<double>(layout_.values);
    const auto too_little = [&](const std::string& found) {
      return unavailable("{}: expected {:.1f} GiB of memory for {} grid{}, found {}", device_.name(),
                         bytes / (1 << 30), scheme_.grids, scheme_.grids == 1 ? "" : "s", found);
    };
    if (const auto found = memory_shortage_on(device_, bytes); !found.empty()) throw too_little(found);
    const std::vector<std::uint32_t> blocked = blocked_bits(problem, layout_);
    const Launch launch = scheme_.one_wave ? launch_for_one_wave(device_, asked_, problem.cells(), sizeof(T))
                                           : launch_for(device_, asked_, problem.cells());
    grids_ = scheme_.make(
        GridSetup<T>{layout_, make_relaxation<T>(p), blocked.data(), launch, device_.inside.sum_group});
    if (!grids_) throw too_little("less");
    grids_->set_start_state();
    check();
  }

  void run(int steps, std::span<double> av_vels) override {
    if (!grids_->run(steps, av_vels.data()))
      throw unavailable(
          "{}: {} teams of variant {} waited too long for one another, so the device does not hold all of "
          "them "
          "at a time; use --variant in-place",
          device_.name(), grids_->launch().teams, scheme_.name);
    const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
    for (double& value : av_vels) value /= fluid_cells;
  }

  void confirm() override { check(); }

  void collect(State& state) override {
    const T* const grid = grids_->fetch();
    const bool ahead = grids_->lies_ahead();
    for (int y = 0; y < layout_.ny; ++y)
      for (int x = 0; x < layout_.nx; ++x) {
        const std::size_t cell = static_cast<std::size_t>(y) * layout_.nx + x;
        Populations<double> a;
        for (int i = 0; i < Lattice::directions; ++i)
          a.f[i] = static_cast<double>(
              ahead ? grid[place(Lattice::opposite[i], (x + Lattice::cx[i] + layout_.nx) % layout_.nx,
                                 (y + Lattice::cy[i] + layout_.ny) % layout_.ny)]
                    : grid[place(i, x, y)]);
        store_macroscopic(a, problem_->parameters.density, state.ux[cell], state.uy[cell],
                          state.density[cell]);
      }
  }

  RunFacts facts() const override {
    const Launch launch = grids_->launch();
    return {
        .device = device_.name(),
        .device_type = device_.type(),
        .driver = runtime_version(),
        .threads = device_.inside.is_gpu() ? 0 : launch.teams * launch.threads,
        .grids = scheme_.grids,
        .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
        .flops_per_update = counted_cell_flops(),
        .extra = {{"device_number", device_.number},
                  {"teams", launch.teams},
                  {"threads_per_team", launch.threads},
                  {"regions_on_device", regions_on_device_},
                  {"host_waits", device_.waits_in_a_loop ? "in a loop" : "as the runtime does"},
                  {"vector_lanes", sizeof(T) == 4 ? device_.inside.lanes_f32 : device_.inside.lanes_f64}}};
  }

 private:
  /// Index of population i of cell (x, y).
  std::int64_t place(int i, int x, int y) const {
    return layout_.origin + layout_.row * y + std::int64_t{i} * layout_.pitch + x;
  }
  /// Reads what the regions left behind.
  void check() {
    const Witness witness = grids_->witness();
    check_witness(device_, witness, grids_->regions(), grids_->launch());
    regions_on_device_ = witness.regions;
  }

  const Scheme& scheme_;
  OffloadDevice device_;
  std::optional<int> asked_;
  const Problem* problem_ = nullptr;
  Layout layout_;
  std::unique_ptr<DeviceGrids<T>> grids_;
  std::int64_t regions_on_device_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_model(const std::string& variant, Precision precision,
                                  const OffloadDevice& device, std::optional<int> threads) {
  const Scheme& scheme = *std::find_if(std::begin(schemes), std::end(schemes),
                                       [&](const Scheme& s) { return s.name == variant; });
  if (precision == Precision::f64) return std::make_unique<TargetModel<double>>(scheme, device, threads);
  return std::make_unique<TargetModel<float>>(scheme, device, threads);
}

std::string fastest_variant(const Problem& problem, Precision precision, const OffloadDevice& device) {
  if (!device.inside.is_gpu()) return "persistent";
  if (!device.inside.teams_can_wait) return "fused";
  // Beyond a GPU's cache a step is bound by memory, and two grids are walked in the more regular way. On an
  // H200 (50 MB) the change lies between 38 and 151 MB in one grid.
  constexpr std::int64_t one_wave_bytes = std::int64_t{80} << 20;
  const std::int64_t bytes = problem.cells() * Lattice::directions * bytes_of(precision);
  return bytes <= one_wave_bytes ? "persistent" : "fused";
}

}  // namespace boltzmark::openmp_target
