// in-place: one grid that two kernels update in turn (AA pattern). wavefront: the same kernels; each launch advances a
// band of layers by one step, and a band stays in cache for several steps before the sweep moves on (sweep_parts).
#include <algorithm>

#include "common/lbm/device/row_strip.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view in_place_source;

namespace {

/// Layers from `first` to before `end`, which may lie beyond the ring's last one.
Bands ring_bands(int first, int end, int layers) {
  const int beyond = std::max(0, end - layers);
  return {.south = first, .south_rows = end - beyond - first, .north = 0, .north_rows = beyond};
}

class InPlace : public RowStrip {
 public:
  InPlace(const ComputeDevice& device, const LbmOptions& options)
      : RowStrip({in_place_source, {"neighbour_step", "local_step"}, 1}, device, options) {}

 private:
  void make_kernels() override {
    RowStrip::make_kernels();
    to_standard_order_ = Kernel(module_, "to_standard_order", grids_[0], layout_);
  }
  void enqueue_standard_order() override {
    session_->queue()->launch(to_standard_order_, Range(layout_.nx, layout_.ny, layout_.nz));
  }

  Kernel to_standard_order_;
};

class Wavefront final : public InPlace {
 public:
  using InPlace::InPlace;
  int launch_steps() const override { return sweep_steps_; }

  /// Starts from the newest state.
  void enqueue(const StripLaunch& launch) override {
    const int sums_a_layer = static_cast<int>(groups_in(global(1), group_)), start = state_;
    for (const SweepPart& part : sweep_parts(grid().layers(), launch.steps, sweep_block_layers(grid())))
      InPlace::enqueue({.number = StripLaunch::any,
                        .bands = part.bands,
                        .source = (start + part.step) % 2,
                        .first_sum = launch.first_sum + part.step * sums_a_step() + part.layers_before * sums_a_layer,
                        .is_end = launch.is_end && part.step == launch.steps - 1});
    state_ = (start + launch.steps) % 2;
  }

 private:
  void add_facts(RunFacts& facts) const override {
    RowStrip::add_facts(facts);
    const double layers = sweep_block_layers(this->grid()) + sweep_steps_ + 1.0;
    const GridBytes grid = grid_bytes_of_all();
    facts.traffic = swept({.grid = grid.all(),
                           .per_update = 2.0 * grid.of_cell,
                           .of_sweep = 2.0 * grid.of_cell,
                           .steps_share = sweeps_a_step(run_steps_, sweep_steps_),
                           .window = layers * layer_bytes()});
  }

  WorkGroup choose_group() const override {
    if (!options_.work_group) {
      WorkGroup group = default_group();
      if (is_flat()) group.y = 1;
      return group;
    }
    const WorkGroup group = InPlace::choose_group();
    if ((is_flat() ? group.y : group.z) > 1)
      throw bad_input("--work-group: expected one layer, {}, for wavefront, found {}", is_flat() ? "Xx1" : "XxYx1",
                      to_string(group));
    return group;
  }

  void plan() override {
    sweep_steps_ = options_.time_block.value_or(sweep_steps(layer_bytes(), sweep_block_layers(grid())));
  }

  double layer_bytes() const {
    return static_cast<double>(row_values(layout_)) * layer_rows(grid()) * static_cast<double>(stored_bytes());
  }

  int sweep_steps_ = 1;
};

}  // namespace

std::vector<SweepPart> sweep_parts(int layers, int steps, int block_layers) {
  std::vector<SweepPart> parts;
  const int first_block = 2 * (steps - 1) + block_layers;
  if (first_block >= layers) {
    for (int step = 0; step < steps; ++step) parts.push_back({step, ring_bands(0, layers, layers), 0});
    return parts;
  }
  for (int begin = 0, end = first_block; begin < layers; begin = end, end = std::min(layers, end + block_layers))
    for (int step = 0; step < steps; ++step) {
      const int first = begin == 0 ? step : begin - step;
      const int behind = end == layers ? layers + step : end - step;
      parts.push_back({step, ring_bands(first, behind, layers), first - step});
    }
  return parts;
}

int sweep_block_layers(const Parameters& parameters) {
  constexpr std::int64_t launch_cells = 1 << 17;  // a tenth of a millisecond of work on a few cores
  return static_cast<int>(std::clamp<std::int64_t>(launch_cells / parameters.layer_cells(), 1, parameters.layers()));
}

int sweep_steps(double layer_bytes, int block_layers) {
  constexpr double cache_bytes = 16 << 20;  // cache on which a few cores can count
  constexpr int most_steps = 8;             // then arithmetic takes longer than memory
  const int layers = static_cast<int>(std::min(cache_bytes / layer_bytes, 1000.0)) - block_layers;
  return std::clamp(layers / 2 * 2, 2, most_steps);
}

extern const Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place by two kernels in turn (AA pattern); solid cells are skipped",
    .kinds = {D3Q19::name},
    .options = {work_group_option(), vvl_option(), reduction_option(), delay_option()},
    .make = on_device<InPlace>};

extern const Variant wavefront = {
    .name = "wavefront",
    .summary =
        "as in-place, several steps in one sweep over the layers (rows or planes): each launch advances a band of "
        "layers by one step, and a band stays in cache for several steps",
    .kinds = {D3Q19::name},
    .options = {work_group_option(), vvl_option(), reduction_option(), delay_option(),
                time_block_option({"2", "4", "6", "8"})},
    .make = on_device<Wavefront>};

}  // namespace boltzmark::lbm
