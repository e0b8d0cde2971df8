#include "opencl/lbm/row_strip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/relaxation.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"

namespace boltzmark::opencl {
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
  };
  return table;
}

template <class T, class Stored>
RowStrip<T, Stored>::RowStrip(const RowVariant& variant, const OpenclDevice& device,
                              const LbmOptions& options)
    : variant_(variant), device_(device), options_(options) {
  if (options_.work_group) check_work_group(device_, *options_.work_group, sizeof(T));
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
  layout_ = make_layout(problem.parameters, window, lanes_, sizeof(Stored));
  vectors_per_item_ = vectors_per_item();
  // Half as many bytes an item: more but smaller groups keep as many on their way.
  constexpr int most_items = is_half ? 128 : 256;
  group_ = options_.work_group.value_or(default_work_group(device_, items_in_row(), window.rows, most_items));
  launch_sums_ = {0};
  for (const Bands& bands : launches) {
    launch_rows_.push_back(rows_in(bands));
    launch_sums_.push_back(launch_sums_.back() + static_cast<int>(groups_in(global(rows_in(bands)), group_)));
  }
  session_.emplace(device_, options_);
  program_ = session_->build(variant_.source, {.group = group_,
                                               .reduction = reduction_,
                                               .lanes = lanes_,
                                               .vectors = vectors_per_item_,
                                               .defines = is_half ? "-D HALF_STORAGE" : "",
                                               .native_math = true});
  allocate();
  attempt("set up the kernels", [&] { set_up_kernels(); });
  session_->first_launches(group_, [&] { launch_first(); });
}

/// What the user wants; else as many as a CPU's registers hold, and one on a GPU, or two halves.
template <class T, class Stored>
int RowStrip<T, Stored>::lanes() const {
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
  sums_.emplace(static_cast<std::size_t>(launch_sums_.back()), delay_, std::max(1, window_.halo));
  const auto bits = solid_bits(*problem_, window_, layout_);
  auto requests = sums_->buffers();
  for (int i = 0; i < variant_.grids; ++i)
    requests.push_back({&grids_[i], grid_values(layout_) * sizeof(Stored)});
  requests.push_back({&solid_bits_, bits.size() * sizeof(cl_uint), bits.data()});
  session_->allocate(requests);
}

template <class T, class Stored>
void RowStrip<T, Stored>::set_up_kernels() {
  Parameters parameters = problem_->parameters;
  if (is_half) parameters.density *= StoredHalf::units;
  const Relaxation<T> relaxation = make_relaxation<T>(parameters);
  const auto scratch = cl::Local(sizeof(T) * group_.x * group_.y);
  const cl::Buffer& partial_sums = sums_->partial_sums();
  for (int i = 0; i < 2; ++i) {  // what changes from launch to launch comes first, see enqueue
    const char* const name = variant_.kernels[i];
    if (variant_.grids == 2)
      steps_[i] = call_of(program_, name, 0, -1, Bands{}, solid_bits_, partial_sums, scratch, layout_,
                          relaxation, grids_[i], grids_[1 - i]);
    else
      steps_[i] =
          call_of(program_, name, 0, -1, solid_bits_, partial_sums, scratch, layout_, relaxation, grids_[0]);
  }
  accelerate_start_ = call_of(program_, "accelerate_start", 0, solid_bits_, layout_, relaxation, grids_[0]);
  if (*variant_.to_standard_order)
    to_standard_order_ = call_of(program_, variant_.to_standard_order, grids_[0], layout_);
  sums_->set_up(program_, device_);
}

/// The grids are all zeros, the state at rest, which neither steps nor the change of their order alter.
/// Then the body force of the first step.
template <class T, class Stored>
void RowStrip<T, Stored>::launch_first() {
  for (int number = 0; number < static_cast<int>(launch_rows_.size()); ++number)
    for (int source = 0; source < 2; ++source) enqueue({.number = number, .source = source, .is_end = true});
  sums_->enqueue_sums(session_->queue(), 0, 1);
  enqueue_standard_order();
  const int row = own_driven_row(problem_->parameters, window_);
  if (row < 0) return;
  set_arguments(accelerate_start_, row);
  session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange, cl::NDRange(layout_.vectors));
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_standard_order() {
  if (to_standard_order_())
    session_->queue().enqueueNDRangeKernel(to_standard_order_, cl::NullRange,
                                           cl::NDRange(layout_.nx, layout_.ny));
}

/// A step, with the body force of the next one where there is one.
template <class T, class Stored>
void RowStrip<T, Stored>::enqueue(const Launch& launch) {
  cl::Kernel& kernel = steps_[launch.source];
  const cl_int first_sum = launch.first_sum + launch_sums_[launch.number];
  const cl_int driven_row = launch.is_end ? -1 : driven_row_;
  if (variant_.grids == 2)
    set_arguments(kernel, first_sum, driven_row, launch.bands);
  else
    set_arguments(kernel, first_sum, driven_row);
  cl::CommandQueue& queue = launch.queue ? *launch.queue : session_->queue();
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, global(launch_rows_[launch.number]),
                             cl::NDRange(group_.x, group_.y), launch.after, launch.done);
  state_ = 1 - launch.source;
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

/// Of the outermost row only the populations that cross its edge are needed, 2, 5 and 6 or 4, 7 and 8. They
/// are sent with what lies between them, as one stretch of memory; so nothing needs packing.
template <class T, class Stored>
std::size_t RowStrip<T, Stored>::first_halo_value(HaloDirection direction) const {
  if (direction == HaloDirection::northward) return 2 * static_cast<std::size_t>(layout_.pitch);
  return layout_.halo == 1 ? 4 * static_cast<std::size_t>(layout_.pitch) : 0;
}

template <class T, class Stored>
std::size_t RowStrip<T, Stored>::halo_values(HaloDirection direction) const {
  // An eastern ghost may lie where the next direction's padding begins, see layout.h.
  const std::size_t end = direction == HaloDirection::northward && layout_.halo == 1
                              ? 7 * static_cast<std::size_t>(layout_.pitch) + layout_.west
                              : row_values(layout_) * layout_.halo;
  return end - first_halo_value(direction);
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state,
                                       void* host, const std::vector<cl::Event>& after, cl::Event& done) {
  const int row = direction == HaloDirection::northward ? window_.rows : layout_.halo;
  queue.enqueueReadBuffer(grids_[state], CL_FALSE,
                          (row * row_values(layout_) + first_halo_value(direction)) * sizeof(Stored),
                          halo_bytes(direction), host, &after, &done);
}

template <class T, class Stored>
void RowStrip<T, Stored>::enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state,
                                        const void* host, cl::Event& done) {
  const int row = direction == HaloDirection::northward ? 0 : layout_.halo + window_.rows;
  queue.enqueueWriteBuffer(grids_[state], CL_FALSE,
                           (row * row_values(layout_) + first_halo_value(direction)) * sizeof(Stored),
                           halo_bytes(direction), host, nullptr, &done);
}

template <class T, class Stored>
void RowStrip<T, Stored>::collect(const Fields& fields) {
  attempt("read the final state", [&] {
    if (state_ == 1) enqueue_standard_order();
    read_rows<Stored>(session_->queue(), grids_[state_ % variant_.grids], layout_,
                      problem_->parameters.density, fields);
  });
}

template <class T, class Stored>
RunFacts RowStrip<T, Stored>::facts() const {
  RunFacts facts = session_->facts({{"work_group", fmt::format("{}x{}", group_.x, group_.y)},
                                    {"vector_width", lanes_},
                                    {"vectors_per_item", vectors_per_item_},
                                    {"reduction", to_string(reduction_)},
                                    {"delay", delay_text(delay_)},
                                    {"storage", is_half ? "f16" : to_string(options_.precision)}});
  facts.bytes_per_update = 2 * Lattice::directions * sizeof(Stored);
  if (is_half) facts.tolerance = half_tolerance;
  facts.flops_per_update = counted_cell_flops();
  return facts;
}

template class RowStrip<float, float>;
template class RowStrip<float, StoredHalf>;
template class RowStrip<double, double>;

}  // namespace boltzmark::opencl
