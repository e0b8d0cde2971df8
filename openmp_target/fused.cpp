// Fused: grids mapped once for the whole run, one target region a step with its reduction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/counting.hpp"
#include "common/error.hpp"
#include "common/lattice.hpp"
#include "common/macroscopic.hpp"
#include "common/relaxation.hpp"
#include "openmp_target/models.hpp"

namespace boltzmark::openmp_target {
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

template <class T>
class Fused : public Model {
 public:
  Fused(const OffloadDevice& device, std::optional<int> threads) : device_(device), asked_(threads) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    layout_ = Layout(p.nx, p.ny, sizeof(T));
    const std::size_t bytes = 2 * sizeof(T) * static_cast<std::size_t>(layout_.values);
    if (!has_memory(device_.number, bytes))
      throw unavailable("{}: expected {:.1f} GiB of memory for two grids, found less", device_.name(),
                        static_cast<double>(bytes) / (1 << 30));
    const int cells_per_item = device_.inside.is_gpu() ? 1 : p.nx;
    grids_ = map_grids(layout_, make_relaxation<T>(p), blocked_bits(problem, layout_).data(),
                       launch_for(device_, asked_, problem.cells() / cells_per_item), cells_per_item);
    grids_->set_start_state();
    ask_witness();
  }

  void run(int steps, std::span<double> av_vels) override {
    std::fill(av_vels.begin(), av_vels.end(), 0.0);
    grids_->run(steps, av_vels.data());
    const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
    for (double& value : av_vels) value /= fluid_cells;
  }

  void collect(State& state) override {
    ask_witness();
    const T* const grid = grids_->fetch();
    for (int y = 0; y < layout_.ny; ++y)
      for (int x = 0; x < layout_.nx; ++x) {
        const T* const at = grid + layout_.origin + layout_.row * y + x;
        const std::size_t cell = static_cast<std::size_t>(y) * layout_.nx + x;
        Populations<double> a;
        for (int i = 0; i < Lattice::directions; ++i) a.f[i] = static_cast<double>(at[i * layout_.pitch]);
        store_macroscopic(a, problem_->parameters.density, state.ux[cell], state.uy[cell],
                          state.density[cell]);
      }
  }

  RunFacts facts() const override {
    return {
        .device = device_.name(),
        .device_type = device_.type(),
        .driver = runtime_version(),
        .threads = device_.inside.is_gpu() ? 0 : witness_.teams * witness_.threads,
        .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
        .flops_per_update = counted_cell_flops(),
        .extra = {{"device_number", device_.number},
                  {"teams", witness_.teams},
                  {"threads_per_team", witness_.threads},
                  {"regions_on_device", witness_.regions},
                  {"vector_lanes", sizeof(T) == 4 ? device_.inside.lanes_f32 : device_.inside.lanes_f64}}};
  }

 private:
  /// Reads what the regions left behind.
  void ask_witness() {
    witness_ = grids_->witness();
    check_witness(device_, witness_, grids_->regions(), asked_);
  }

  OffloadDevice device_;
  std::optional<int> asked_;
  const Problem* problem_ = nullptr;
  Layout layout_;
  std::unique_ptr<DeviceGrids<T>> grids_;
  Witness witness_;
};

}  // namespace

std::unique_ptr<Model> make_fused(Precision precision, const OffloadDevice& device,
                                  std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>(device, threads);
  return std::make_unique<Fused<float>>(device, threads);
}

}  // namespace boltzmark::openmp_target
