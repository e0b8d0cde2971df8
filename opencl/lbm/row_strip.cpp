#include "opencl/lbm/row_strip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/lbm/sweep.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

const std::vector<RowVariant>& row_table() {
  static const std::vector<RowVariant> table = {
      {.name = "two-grid",
       .summary = "two grids in structure-of-arrays form on the device, one masked kernel per step",
       .source = two_grid_source,
       .kernels = {"two_grid_step", "two_grid_step"},
       .grids = 2,
       .to_standard_order = ""},
      {.name = "in-place",
       .summary = "one grid, updated in place by two kernels in turn (AA pattern); solid cells are skipped",
       .source = in_place_source,
       .kernels = {"neighbour_step", "local_step"},
       .grids = 1,
       .to_standard_order = "to_standard_order"},
      {.name = "wavefront",
       .summary =
           "as in-place, several steps in one sweep over the layers (rows or planes): a launch is a step of "
           "some layers, and those that the caches hold are taken several steps on before the next come",
       .source = in_place_source,
       .kernels = {"neighbour_step", "local_step"},
       .grids = 1,
       .to_standard_order = "to_standard_order",
       .is_swept = true},
  };
  return table;
}

const RowVariant& planes_variant() {
  static const RowVariant variant = {.name = "time-block",
                                     .summary = "",
                                     .source = planes_source,
                                     .kernels = {"two_grid_step", "two_grid_step"},
                                     .grids = 2,
                                     .to_standard_order = "",
                                     .two_steps = "plane_steps"};
  return variant;
}

template <class T, class Stored>
RowStrip<T, Stored>::RowStrip(const RowVariant& variant, const ComputeDevice& device,
                              const LbmOptions& options)
    : variant_(variant), device_(device), options_(options) {
  if (options_.work_group && !two_at_once()) check_work_group(device_, *options_.work_group, sizeof(T));
  check_reduction(device_, reduction_);
}

template <class T, class Stored>
void RowStrip<T, Stored>::init(const Problem& problem, const Window& window,
                               const std::vector<Bands>& launches) {
  problem_ = &problem;
  window_ = window;
  launch_rows_.clear();
  lanes_ = lanes();
  driven_row_ = driven_row(problem.parameters, window);
  // In place, a vector that goes east or west is stored beyond its row's end.
  layout_ = make_layout(problem.parameters, window, lanes_, sizeof(Stored),
                        is_flat() || (variant_.grids == 1 && lanes_ > 1));
  vectors_per_item_ = vectors_per_item();
  group_ = work_group();
  launch_sums_ = {0};
  for (const Bands& bands : launches) {
    launch_rows_.push_back(rows_in(bands));
    launch_sums_.push_back(launch_sums_.back() + static_cast<int>(groups_in(global(rows_in(bands)), group_)));
  }
  launches_ = launches;
  launch_steps_ = steps_at_once();
  if (two_at_once()) {
    if (!problem.moving.empty())
      throw unavailable("{}: walls that move need every step by itself; take two-grid or in-place",
                        variant_.name);
    planes_ = plan_planes(device_, options_, problem.parameters, is_half);
    launch_sums_.back() = std::max(launch_sums_.back(), planes_.groups);
  }
  session_.emplace(device_, options_);
  program_ = session_->build(variant_.source, {.group = group_,
                                               .reduction = reduction_,
                                               .lanes = lanes_,
                                               .vectors = vectors_per_item_,
                                               .defines = defines(),
                                               .native_math = true,
                                               .resident_kernel = variant_.two_steps,
                                               .resident_groups = planes_.resident_groups});
  allocate();
  attempt("set up the kernels", [&] { is_flat() ? set_up_kernels<D2Q9>() : set_up_kernels<D3Q19>(); });
  session_->first_launches(group_, [&] { launch_first(); });
  session_->upload([&] { start(); });
}

template <class T, class Stored>
int RowStrip<T, Stored>::steps_at_once() const {
  if (two_at_once()) {
    if (options_.time_block.value_or(2) != 2)
      throw bad_input("--time-block: expected 2 in three dimensions, found {}", *options_.time_block);
    return 2;
  }
  if (!variant_.is_swept) return 1;
  const Parameters& p = problem_->parameters;
  const double layer_bytes = static_cast<double>(row_values(layout_)) * layer_rows(p) * sizeof(Stored);
  return options_.time_block.value_or(sweep_steps(layer_bytes, sweep_block_layers(p)));
}

template <class T, class Stored>
WorkGroup RowStrip<T, Stored>::work_group() const {
  // Half as many bytes an item: more but smaller groups keep as many on their way.
  constexpr int most_items = is_half ? 128 : 256;
  if (!options_.work_group || two_at_once()) {
    auto group =
        default_work_group(device_, items_in_row(), is_flat() ? window_.rows : layout_.ny, most_items);
    if (is_flat() && variant_.is_swept) group.y = 1;
    return group;
  }
  if (variant_.is_swept && (is_flat() ? options_.work_group->y : options_.work_group->z) > 1)
    throw bad_input("--work-group: expected one layer, {}, for {}, found {}", is_flat() ? "Xx1" : "XxYx1",
                    variant_.name, to_string(*options_.work_group));
  if (is_flat()) check_flat(options_);
  return *options_.work_group;
}

/// Constant distances between the directions of a row save a GPU registers; a CPU's kernels would only have to be
/// built for every grid.
template <class T, class Stored>
std::string RowStrip<T, Stored>::defines() const {
  std::string text = is_half ? "-D HALF_STORAGE" : "";
  if (is_flat()) return text;
  text += " -D LATTICE_D3Q19";
  if (device_.type != DeviceType::cpu || two_at_once()) text += fmt::format(" -D PITCH={}", layout_.pitch);
  if (two_at_once())
    text += fmt::format(" -D NX={} -D NY={} -D NZ={} -D WEST={} {}", layout_.nx, layout_.ny, layout_.nz,
                        layout_.west, planes_.defines());
  return text;
}

/// What the user wants; else as many as a CPU's registers hold, and one on a GPU, or two halves.
template <class T, class Stored>
int RowStrip<T, Stored>::lanes() const {
  if (two_at_once()) return 1;
  if (!options_.lanes)
    return device_.type == DeviceType::cpu ? device_.native_lanes(options_.precision) : is_half ? 2 : 1;
  for (const int offered : {1, 2, 4, 8, 16})
    if (offered == *options_.lanes) return offered;
  throw bad_input("--vvl: expected 1, 2, 4, 8 or 16, found {}", *options_.lanes);
}

/// On a CPU a long stretch of a row a work-item saves what each item costs, but not so long that a
/// work-group as wide as was asked for has nothing to do. On a GPU neighbouring items must read
/// neighbouring cells.
template <class T, class Stored>
int RowStrip<T, Stored>::vectors_per_item() const {
  constexpr int most = 16;
  if (device_.type != DeviceType::cpu) return 1;
  return std::clamp(layout_.vectors / (options_.work_group ? options_.work_group->x : 1), 1, most);
}

template <class T, class Stored>
void RowStrip<T, Stored>::allocate() {
  sums_.emplace(static_cast<std::size_t>(launch_sums_.back()), delay_, std::max(launch_steps(), window_.halo),
                is_repeated());
  const auto bits = solid_bits(*problem_, window_, layout_);
  auto requests = sums_->buffers();
  for (int i = 0; i < variant_.grids; ++i)
    requests.push_back({&grids_[i], grid_values(layout_) * sizeof(Stored)});
  requests.push_back({&solid_bits_, bits.size() * sizeof(cl_uint), bits.data()});
  session_->allocate(requests);
}

template <class T, class Stored>
template <class L>
void RowStrip<T, Stored>::set_up_kernels() {
  Parameters parameters = problem_->parameters;
  if (is_half) parameters.density *= StoredHalf::units;
  const auto relaxation = make_relaxation<T, L>(parameters);
  const auto scratch = cl::Local(sizeof(T) * group_.x * group_.y * group_.z);
  const cl::Buffer& partial_sums = sums_->partial_sums();
  for (int i = 0; i < 2; ++i) {  // what changes from launch to launch comes first, see enqueue
    const char* const name = variant_.kernels[i];
    const auto call_on = [&](const auto&... grids) {
      return call_of(program_, name, 0, -1, Bands{}, solid_bits_, partial_sums, scratch, layout_, relaxation,
                     grids...);
    };
    steps_[i] = variant_.grids == 2 ? call_on(grids_[i], grids_[1 - i]) : call_on(grids_[0]);
    if (two_at_once())
      two_steps_[i] = call_of(program_, variant_.two_steps, 0, 0, grids_[i], grids_[1 - i], solid_bits_,
                              partial_sums, sums_a_step(), relaxation);
  }
  accelerate_start_ = call_of(program_, "accelerate_start", 0, solid_bits_, layout_, relaxation, grids_[0]);
  if (*variant_.to_standard_order)
    to_standard_order_ = call_of(program_, variant_.to_standard_order, grids_[0], layout_);
  sums_->set_up(program_, device_);
}

/// The grids are all zeros, the state at rest, which neither steps without body force nor the change of their order
/// alter.
template <class T, class Stored>
void RowStrip<T, Stored>::launch_first() {
  const int driven_row = std::exchange(driven_row_, -1);
  for (int number = 0; number < static_cast<int>(launch_rows_.size()); ++number)
    for (int source = 0; source < 2; ++source)
      for (const int steps : {launch_steps_, 1})
        enqueue(
            {.number = number, .bands = launches_[number], .source = source, .steps = steps, .is_end = true});
  sums_->enqueue_sums(session_->queue(), 0, 1);
  enqueue_standard_order();
  driven_row_ = driven_row;
}

/// The start state, with the body force of the first step.
template <class T, class Stored>
void RowStrip<T, Stored>::start() {
  state_ = 0;
  if (!starts_at_rest(problem_->parameters))
    write_start<Stored>(session_->queue(), grids_[0], layout_, *problem_, window_);
  walls_.set_up(*session_, program_, *problem_, window_, is_half ? StoredHalf::units : 1.0,
                variant_.grids == 1, grids_, [&](int x, int y, int z, int i) {
                  const std::size_t row = static_cast<std::size_t>(z) * layout_.ny + y;
                  return row * row_values(layout_) + static_cast<std::size_t>(i) * layout_.pitch +
                         layout_.west + x;
                });
  const int row = own_driven_row(problem_->parameters, window_);
  if (row < 0) return;
  set_arguments(accelerate_start_, row);
  session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange,
                                         cl::NDRange(layout_.vectors, layout_.nz));
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_standard_order() {
  if (to_standard_order_())
    session_->queue().enqueueNDRangeKernel(to_standard_order_, cl::NullRange,
                                           cl::NDRange(layout_.nx, layout_.ny, layout_.nz));
}

/// A step, with the body force of the next one where there is one.
template <class T, class Stored>
void RowStrip<T, Stored>::enqueue(const Launch& launch) {
  if (variant_.is_swept && launch.number != Launch::any) return enqueue_sweep(launch);
  cl::Kernel& kernel = steps_[launch.source];
  const bool is_any = launch.number == Launch::any;
  const cl_int first_sum = launch.first_sum + (is_any ? 0 : launch_sums_[launch.number]);
  const int layers = is_any ? rows_in(launch.bands) : launch_rows_[launch.number];
  const cl_int driven_row = launch.is_end ? -1 : driven_row_;
  set_arguments(kernel, first_sum, driven_row, launch.bands);
  cl::CommandQueue& queue = launch.queue ? *launch.queue : session_->queue();
  if (launch.steps == 2 && two_at_once()) return enqueue_two(queue, launch.source, first_sum, launch.is_end);
  if (two_at_once())  // this kernel leaves another number of sums
    queue.enqueueFillBuffer(sums_->partial_sums(), T(0), static_cast<std::size_t>(first_sum) * sizeof(T),
                            static_cast<std::size_t>(sums_a_step()) * sizeof(T));
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, global(layers), local(), launch.after, launch.done);
  state_ = 1 - launch.source;
  walls_.enqueue(queue, state_, launch.bands, launch.done);
}

/// From the newest state on.
template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_sweep(const Launch& launch) {
  const Parameters& p = problem_->parameters;
  const auto sums_a_layer = static_cast<int>(groups_in(global(1), group_));
  const int start = state_;
  for (const SweepPart& part : sweep_parts(p.layers(), launch.steps, sweep_block_layers(p)))
    enqueue({.number = Launch::any,
             .bands = part.bands,
             .source = (start + part.step) % 2,
             .first_sum = launch.first_sum + part.step * sums_a_step() + part.layers_before * sums_a_layer,
             .is_end = launch.is_end && part.step == launch.steps - 1});
  state_ = (start + launch.steps) % 2;
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_two(cl::CommandQueue& queue, int source, int first_sum, bool is_end) {
  constexpr cl_int driven_1 = 64, driven_2 = 128;  // see kernels/planes.cl
  const cl_int driven = driven_row_ < 0 ? 0 : is_end ? driven_1 : driven_1 | driven_2;
  set_arguments(two_steps_[source], first_sum, driven);
  const auto items = static_cast<std::size_t>(planes_.items);
  queue.enqueueNDRangeKernel(two_steps_[source], cl::NullRange,
                             cl::NDRange(static_cast<std::size_t>(planes_.groups) * items),
                             cl::NDRange(items));
  state_ = 1 - source;
}

template <class T, class Stored>
void RowStrip<T, Stored>::run(int steps, const std::function<void(int, int, int)>& enqueue_steps,
                              std::span<double> av_vels) {
  constexpr int most_pending = 4096;
  attempt("run the time steps", [&] {
    sums_->run(session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
               enqueue_steps, av_vels);
  });
}

/// What passes an end, as pieces of so many stretches of memory that are as far apart as rows are. Of the outermost row
/// only the populations that cross its edge are needed: 2, 5 and 6, or 4, 7 and 8, in two dimensions. They are sent with
/// what lies between them, as one stretch, so nothing needs packing. In three dimensions rows are many, and five
/// directions are picked out of each. Deeper halos go whole.
template <class T, class Stored>
std::vector<HaloPiece> RowStrip<T, Stored>::halo_pieces(HaloDirection direction) const {
  const auto pitch = static_cast<std::size_t>(layout_.pitch);
  const bool northward = direction == HaloDirection::northward;
  if (is_flat()) {
    const std::size_t first = northward ? 2 * pitch : layout_.halo == 1 ? 4 * pitch : 0;
    // An eastern ghost may lie where the next direction's padding begins, see layout.h.
    const std::size_t end =
        northward && layout_.halo == 1 ? 7 * pitch + layout_.west : row_values(layout_) * layout_.halo;
    return {{first, end - first, 1}};
  }
  const auto rows = static_cast<std::size_t>(layout_.ny);
  const auto west = static_cast<std::size_t>(layout_.west);
  if (layout_.halo > 1) return {{west, row_values(layout_) * rows * layout_.halo, 1}};
  std::vector<HaloPiece> pieces;
  for (int i = 0; i < D3Q19::directions; ++i)
    if (D3Q19::cz[i] == (northward ? 1 : -1))
      pieces.push_back({i * pitch + west, static_cast<std::size_t>(layout_.nx), rows});
  return pieces;
}

template <class T, class Stored>
std::size_t RowStrip<T, Stored>::halo_bytes(HaloDirection direction) const {
  std::size_t values = 0;
  for (const HaloPiece& piece : halo_pieces(direction)) values += piece.values * piece.rows;
  return values * sizeof(Stored);
}

/// The first value of a layer, in bytes.
template <class T, class Stored>
std::size_t RowStrip<T, Stored>::layer_start(int layer) const {
  return static_cast<std::size_t>(layer) * layer_rows(problem_->parameters) * row_values(layout_) *
         sizeof(Stored);
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state,
                                       void* host, const std::vector<cl::Event>& after, cl::Event& done) {
  const std::size_t start = layer_start(direction == HaloDirection::northward ? window_.rows : layout_.halo);
  const std::size_t row = row_values(layout_) * sizeof(Stored);
  auto* to = static_cast<std::byte*>(host);
  for (const HaloPiece& piece : halo_pieces(direction)) {  // one after the other, the last is done last
    const std::size_t first = piece.first * sizeof(Stored), bytes = piece.values * sizeof(Stored);
    if (piece.rows == 1)
      queue.enqueueReadBuffer(grids_[state], CL_FALSE, start + first, bytes, to, &after, &done);
    else
      queue.enqueueReadBufferRect(grids_[state], CL_FALSE, {first, start / row, 0}, {0, 0, 0},
                                  {bytes, piece.rows, 1}, row, 0, bytes, 0, to, &after, &done);
    to += bytes * piece.rows;
  }
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state,
                                        const void* host, cl::Event& done) {
  const std::size_t start =
      layer_start(direction == HaloDirection::northward ? 0 : layout_.halo + window_.rows);
  const std::size_t row = row_values(layout_) * sizeof(Stored);
  const auto* from = static_cast<const std::byte*>(host);
  for (const HaloPiece& piece : halo_pieces(direction)) {
    const std::size_t first = piece.first * sizeof(Stored), bytes = piece.values * sizeof(Stored);
    if (piece.rows == 1)
      queue.enqueueWriteBuffer(grids_[state], CL_FALSE, start + first, bytes, from, nullptr, &done);
    else
      queue.enqueueWriteBufferRect(grids_[state], CL_FALSE, {first, start / row, 0}, {0, 0, 0},
                                   {bytes, piece.rows, 1}, row, 0, bytes, 0, from, nullptr, &done);
    from += bytes * piece.rows;
  }
}

template <class T, class Stored>
void RowStrip<T, Stored>::collect(const Fields& fields) {
  attempt("read the final state", [&] {
    if (state_ == 1) enqueue_standard_order();
    const auto read = is_flat() ? read_rows<Stored, D2Q9> : read_rows<Stored, D3Q19>;
    read(session_->queue(), grids_[state_ % variant_.grids], layout_, problem_->parameters.density, fields);
  });
}

template <class T, class Stored>
RunFacts RowStrip<T, Stored>::facts() const {
  RunFacts facts = session_->facts({{"work_group", to_string(group_)},
                                    {"vector_width", lanes_},
                                    {"vectors_per_item", vectors_per_item_},
                                    {"reduction", to_string(reduction_)},
                                    {"delay", delay_text(delay_)},
                                    {"storage", is_half ? "f16" : to_string(options_.precision)}});
  if (Repeated::is_recorded) facts.settings["launches"] = is_repeated() ? "graphs" : "single";
  if (launch_steps_ > 1) facts.settings["time_block"] = launch_steps_;
  if (variant_.is_swept) facts.steps_per_launch = launch_steps_;
  if (two_at_once()) {
    facts.settings["work_group"] = planes_.tile();
    facts.settings["items_per_group"] = planes_.items;
    facts.settings["groups"] = planes_.groups;
    facts.settings["pieces"] = planes_.pieces();
    facts.settings["memory_bytes_per_update"] = planes_.values_per_update() * sizeof(Stored);
    facts.steps_per_launch = 2;
  }
  facts.bytes_per_update = 2.0 * layout_.directions * sizeof(Stored);
  if (is_half) facts.tolerance = half_tolerance;
  facts.flops_per_update = is_flat() ? counted_cell_flops<D2Q9>() : counted_cell_flops<D3Q19>();
  return facts;
}

template class RowStrip<float, float>;
template class RowStrip<float, StoredHalf>;
template class RowStrip<double, double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
