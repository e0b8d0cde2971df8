// The host's side of a run: what is laid out, launched, checked and collected. How a step is done is the
// device's side, see grids.hpp.
#include <fmt/format.h>

#include "common/lbm/relaxation.hpp"
#include "openmp_target/lbm/facts.hpp"
#include "openmp_target/lbm/grids.hpp"
#include "openmp_target/lbm/variants.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// One bit per cell, 1 = solid, in the words that Layout describes.
std::vector<std::uint32_t> solid_mask(const Problem& problem, const Layout& layout) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(layout.words) * layout.ny);
  const auto set = [&](std::int64_t x, std::int64_t y) {
    words[static_cast<std::size_t>(y * layout.words + x / Layout::word)] |= 1u << x % Layout::word;
  };
  for (const std::int64_t cell : problem.solid) set(cell % layout.nx, cell / layout.nx);
  for (int y = 0; y < layout.ny; ++y)
    for (int x = layout.nx; x < layout.words * Layout::word; ++x) set(x, y);
  return words;
}

/// What a variant needs of the device, and how its grids are made.
template <class T>
struct Scheme {
  std::string name;
  int grids;
  bool co_resident;  ///< all teams are on the device at a time
  std::unique_ptr<DeviceGrids<T>> (*make)(const GridSetup<T>&);
};

template <class T>
class TargetSolver : public Solver {
 public:
  TargetSolver(const Scheme<T>& scheme, const OffloadDevice& device, std::optional<int> threads)
      : scheme_(scheme), device_(device), asked_threads_(threads) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    layout_ = Layout(p.nx, p.ny, p.driven_row(), sizeof(T));
    if (problem.cells() >= std::int64_t{1} << 32)
      throw unavailable("{}: expected fewer than 2^32 cells, found {}", device_.name(), problem.cells());
    const double bytes = static_cast<double>(scheme_.grids) * sizeof(T) * static_cast<double>(layout_.values);
    require_memory_on(device_, scheme_.grids, bytes);
    const std::vector<std::uint32_t> solid = solid_mask(problem, layout_);
    const Launch launch = scheme_.co_resident
                              ? launch_for_one_wave(device_, asked_threads_, problem.cells(), sizeof(T))
                              : launch_for(device_, asked_threads_, problem.cells());
    grids_ =
        scheme_.make({layout_, make_relaxation<T>(p), solid.data(), launch, device_.properties.sum_group});
    if (!grids_) throw memory_error(device_, scheme_.grids, bytes, "less");
    grids_->set_start_state();
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
    const int nx = layout_.nx, ny = layout_.ny;
    const bool is_streamed = grids_->is_streamed();
    collect_fields(nx, ny, problem_->parameters.density, fields_of(state), [&](int i, int x, int y) {
      if (!is_streamed) return grid[layout_.at(i, x, y)];
      return grid[layout_.at(Lattice::opposite[i], (x + Lattice::cx[i] + nx) % nx,
                             (y + Lattice::cy[i] + ny) % ny)];
    });
  }

  RunFacts facts() const override {
    RunFacts facts =
        lbm_facts<T>(device_, grids_->launch(), record_, scheme_.grids, grids_->steps_per_region());
    facts.settings["vector_lanes"] =
        sizeof(T) == 4 ? device_.properties.lanes_f32 : device_.properties.lanes_f64;
    return facts;
  }

 private:
  Scheme<T> scheme_;
  OffloadDevice device_;
  std::optional<int> asked_threads_;
  const Problem* problem_ = nullptr;
  Layout layout_;
  std::unique_ptr<DeviceGrids<T>> grids_;
  LaunchRecord record_;
};

template <class T>
std::unique_ptr<Solver> make(const std::string& variant, const OffloadDevice& device,
                             std::optional<int> threads) {
  const Scheme<T> schemes[] = {{"fused", 2, false, make_two_grids<T>},
                               {"in-place", 1, false, make_in_place<T>},
                               {"persistent", 1, true, make_persistent<T>}};
  for (const auto& scheme : schemes)
    if (scheme.name == variant) return std::make_unique<TargetSolver<T>>(scheme, device, threads);
  return nullptr;
}

}  // namespace

std::unique_ptr<Solver> make_solver(const std::string& variant, Precision precision,
                                    const OffloadDevice& device, std::optional<int> threads) {
  if (precision == Precision::f64) return make<double>(variant, device, threads);
  return make<float>(variant, device, threads);
}

std::string fastest_variant(const Problem& problem, Precision precision, const OffloadDevice& device) {
  if (!device.properties.is_gpu()) return "persistent";
  if (!device.properties.teams_can_wait) return "fused";
  // Beyond a GPU's cache a step is bound by memory, and two grids are read and written in the more regular
  // way. On an H200 (50 MB) the change is between 38 and 151 MB in one grid.
  constexpr std::int64_t most_bytes = std::int64_t{80} << 20;
  const std::int64_t bytes = problem.cells() * Lattice::directions * bytes_of(precision);
  return bytes <= most_bytes ? "persistent" : "fused";
}

}  // namespace boltzmark::openmp_target
