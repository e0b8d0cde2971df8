#include "common/lbm/device/row_strip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "common/lbm/cell.h"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

RowStrip::RowStrip(const Kernels& kernels, const ComputeDevice& device, const LbmOptions& options)
    : DeviceStrip(device, options),
      kernels_(kernels),
      reduction_(options.reduction.value_or(default_reduction(device))) {
  check_reduction(device_, reduction_);
}

void RowStrip::init_strip() {
  vvl_ = choose_vvl();
  driven_row_ = driven_row(grid(), window_);
  // In place, a vector moving east or west is stored beyond the end of its row.
  layout_ = make_layout(grid(), window_, vvl_, stored_bytes(), is_flat() || (kernels_.grids == 1 && vvl_ > 1));
  vectors_per_item_ = choose_vectors_per_item();
  group_ = choose_group();
  launch_rows_.clear();
  launch_sums_ = {0};
  for (const Bands& bands : launches_) {
    launch_rows_.push_back(rows_in(bands));
    launch_sums_.push_back(launch_sums_.back() + static_cast<int>(groups_in(global(rows_in(bands)), group_)));
  }
  plan();
  const auto bits = solid_bits(*problem_, window_, layout_);
  std::vector<BufferRequest> buffers;
  for (int i = 0; i < kernels_.grids; ++i) buffers.push_back({&grids_[i], grid_values(layout_) * stored_bytes()});
  buffers.push_back({&solid_bits_, bits.size() * sizeof bits[0], bits.data()});
  prepare(kernels_.source, shape(),
          StepSums(options_.precision, static_cast<std::size_t>(sums_a_step()), options_.delay,
                   std::max(launch_steps(), window_.halo), is_repeated()),
          buffers);
}

KernelShape RowStrip::shape() const {
  std::string defines = is_half() ? "-D HALF_STORAGE" : "";
  if (!is_flat()) defines += " -D LATTICE_D3Q19";
  // Constant distances between the directions of a row save a GPU registers; a CPU's kernels would only have to be
  // built for every grid.
  if (!is_flat() && device_.type != DeviceType::cpu) defines += fmt::format(" -D PITCH={}", layout_.pitch);
  return {.group = group_,
          .reduction = reduction_,
          .lanes = vvl_,
          .vectors = vectors_per_item_,
          .defines = defines,
          .native_math = true};
}

WorkGroup RowStrip::default_group() const {
  // With half as many bytes per item, more and smaller groups keep as many bytes in flight.
  const int most_items = is_half() ? 128 : 256;
  return default_work_group(device_, items_in_row(), is_flat() ? window_.rows : layout_.ny, most_items);
}

WorkGroup RowStrip::choose_group() const {
  if (!options_.work_group) return default_group();
  check_work_group(device_, *options_.work_group, value_bytes());
  return *options_.work_group;
}

/// The user's choice; else as many as a CPU's registers hold, and one on a GPU, or two halves.
int RowStrip::choose_vvl() const {
  return options_.vvl.value_or(device_.type == DeviceType::cpu ? device_.native_lanes(options_.precision)
                               : is_half()                     ? 2
                                                               : 1);
}

/// On a CPU many vectors of a row per work-item save the cost of items, but leave work for a work-group of the
/// requested width. On a GPU neighbouring items must read neighbouring cells.
int RowStrip::choose_vectors_per_item() const {
  constexpr int most = 16;
  if (device_.type != DeviceType::cpu) return 1;
  return std::clamp(layout_.vectors / (options_.work_group ? options_.work_group->x : 1), 1, most);
}

Range RowStrip::global(int layers) const {
  const int columns = round_up(items_in_row(), group_.x);
  return is_flat() ? Range(columns, round_up(layers, group_.y))
                   : Range(columns, round_up(layout_.ny, group_.y), round_up(layers, group_.z));
}

Value RowStrip::relaxation() const { return relaxation_value(grid(), options_); }

void RowStrip::make_kernels() {
  const Local scratch{value_bytes() * static_cast<std::size_t>(group_.x * group_.y * group_.z)};
  for (int i = 0; i < 2; ++i) {  // arguments that change between launches come first, see enqueue
    const auto call_on = [&](const auto&... grids) {
      return Kernel(module_, kernels_.steps[i], 0, -1, Bands{}, solid_bits_, sums_->partial_sums(), scratch, layout_,
                    relaxation(), grids...);
    };
    steps_[i] = kernels_.grids == 2 ? call_on(grids_[i], grids_[1 - i]) : call_on(grids_[0]);
  }
  accelerate_start_ = Kernel(module_, "accelerate_start", 0, solid_bits_, layout_, relaxation(), grids_[0]);
}

/// The grids are all zeros, the state at rest, which neither steps without body force nor a change of their order
/// alters.
void RowStrip::launch_first() {
  const int driven_row = std::exchange(driven_row_, -1);
  const int most_steps = std::min({2, launch_steps(), sums_->most_at_once()});  // those of any kernel here
  for (int number = 0; number < static_cast<int>(launches_.size()); ++number)
    for (int source = 0; source < 2; ++source)
      for (const int steps : {most_steps, 1})
        enqueue({.number = number, .bands = launches_[number], .source = source, .steps = steps, .is_end = true});
  enqueue_standard_order();
  driven_row_ = driven_row;
}

/// The start state, with the body force of the first step.
void RowStrip::start() {
  state_ = 0;
  if (!starts_at_rest(grid())) write_start(session_->queue(), grids_[0], layout_, storage(), *problem_, window_);
  walls_.set_up(*session_, module_, *problem_, window_, options_.precision, is_half() ? half_units() : 1.0,
                {grid_of(0), grid_of(1)}, kernels_.grids == 1, [&](int x, int y, int z, int i) {
                  const std::size_t row = static_cast<std::size_t>(z) * layout_.ny + y;
                  return row * row_values(layout_) + static_cast<std::size_t>(i) * layout_.pitch + layout_.west + x;
                });
  const int row = own_driven_row(grid(), window_);
  if (row < 0) return;
  accelerate_start_.rebind(row);
  session_->queue()->launch(accelerate_start_, Range(layout_.vectors, layout_.nz));
}

void RowStrip::enqueue(const StripLaunch& launch) {
  const bool is_any = launch.number == StripLaunch::any;
  const int first_sum = launch.first_sum + (is_any ? 0 : launch_sums_[launch.number]);
  const int layers = is_any ? rows_in(launch.bands) : launch_rows_[launch.number];
  const Kernel& kernel = steps_[launch.source];
  kernel.rebind(first_sum, launch.is_end ? -1 : driven_row_, launch.bands);
  const Queue& queue = queue_of(launch);
  queue->launch(kernel, global(layers), is_flat() ? Range(group_.x, group_.y) : Range(group_.x, group_.y, group_.z),
                launch.after, launch.done);
  state_ = 1 - launch.source;
  walls_.enqueue(queue, state_, launch.bands, launch.done);
}

/// Of the outermost row only the populations that cross its edge are needed: 2, 5 and 6, or 4, 7 and 8, in two
/// dimensions. They are sent in one copy with the values between them, so nothing needs packing. In three dimensions
/// there are many rows, and five directions are picked from each. Deeper halos are sent whole.
std::vector<Region> RowStrip::halo_regions(HaloDirection direction, int layer) const {
  const std::size_t row = row_values(layout_), value = stored_bytes();
  const auto pitch = static_cast<std::size_t>(layout_.pitch), west = static_cast<std::size_t>(layout_.west);
  const auto rows = static_cast<std::size_t>(layer_rows(grid())), halo = static_cast<std::size_t>(layout_.halo);
  const std::size_t start = static_cast<std::size_t>(layer) * rows * row;
  const bool northward = direction == HaloDirection::northward;
  const auto in_bytes = [&](std::size_t first, std::size_t end) {
    return Region{(start + first) * value, (end - first) * value};
  };
  if (is_flat()) {
    // An eastern ghost may be at the start of the next direction's padding, see layout.h.
    return {in_bytes(northward           ? 2 * pitch
                     : layout_.halo == 1 ? 4 * pitch
                                         : 0,
                     northward && layout_.halo == 1 ? 7 * pitch + west : row * halo)};
  }
  if (layout_.halo > 1) return {in_bytes(west, west + row * rows * halo)};
  std::vector<Region> regions;
  for (int i = 0; i < D3Q19::directions; ++i)
    if (D3Q19::cz[i] == (northward ? 1 : -1)) {
      Region region = in_bytes(i * pitch + west, i * pitch + west + static_cast<std::size_t>(layout_.nx));
      region.rows = rows;
      region.pitch = row * value;
      region.host_pitch = region.row_bytes;
      regions.push_back(region);
    }
  return regions;
}

void RowStrip::collect(const Fields& fields) {
  attempt("read the final state", [&] {
    if (state_ == 1) enqueue_standard_order();
    read_fields(session_->queue(), grid_of(state_), layout_, storage(), grid(), fields);
  });
}

void RowStrip::add_facts(RunFacts& facts) const {
  facts.settings.update({{"work_group", to_string(group_)},
                         {"vvl", vvl_},
                         {"vectors_per_item", vectors_per_item_},
                         {"reduction", to_string(reduction_)},
                         {"storage", is_half() ? "f16" : to_string(options_.precision)}});
  if (api().records) facts.settings["launches"] = is_repeated() ? "graphs" : "single";
  if (launch_steps() > 1) facts.settings["time_block"] = launch_steps();
  facts.steps_per_launch = launch_steps();
  facts.grids = kernels_.grids;
}

}  // namespace boltzmark::lbm
