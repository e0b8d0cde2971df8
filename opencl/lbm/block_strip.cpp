#include "opencl/lbm/block_strip.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

template <class T>
void BlockStrip<T>::init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) {
  check_flat(options_);
  problem_ = &problem;
  window_ = window;
  Parameters own = problem.parameters;
  own.ny = window.rows;
  plan_ = planner_(device_, options_, own);
  plan_launches(launches);
  session_.emplace(device_, options_);
  std::string defines = fmt::format("-D NX={} -D NY={} {}", own.nx, rows_with_halo(), plan_.defines);
  if (window.halo > 0)
    defines += fmt::format(" -D PERIOD={} -D DRIVEN_ROW={}", problem.parameters.ny,
                           driven_row(problem.parameters, window));
  program_ = session_->build(plan_.source, {.group = {plan_.items, 1},
                                            .reduction = default_reduction(device_),
                                            .lanes = plan_.source == wavefront_source ? 2 : 1,
                                            .defines = defines,
                                            .most_registers = plan_.most_registers,
                                            .native_math = true});
  allocate();
  attempt("set up the kernels", [&] { set_up_kernels(); });
  session_->first_launches({plan_.items, 1}, [&] { launch_first(); });
  session_->upload([&] { start(); });
}

template <class T>
void BlockStrip<T>::plan_launches(const std::vector<Bands>& launches) {
  constexpr int warp = 32;
  launches_ = launches;
  shapes_.clear();
  launch_sums_ = {0};
  if (plan_.strips == 0) {
    shapes_ = {{plan_.groups, 0}};
    launch_sums_.push_back(plan_.sums_a_step);
    return;
  }
  const auto divide_up = [](int a, int b) { return (a + b - 1) / b; };
  for (const Bands& bands : launches) {
    int rows = chunk_rows(device_, plan_.strips, rows_in(bands));
    if (bands.north_rows > 0) rows = std::min(rows, bands.south_rows);
    const int sums = plan_.strips * (divide_up(bands.south_rows, rows) + divide_up(bands.north_rows, rows));
    shapes_.push_back({divide_up(sums * warp, plan_.items), rows});
    launch_sums_.push_back(launch_sums_.back() + sums);
  }
}

template <class T>
void BlockStrip<T>::allocate() {
  sums_.emplace(static_cast<std::size_t>(launch_sums_.back()), delay_,
                plan_.is_persistent ? INT_MAX : plan_.depth, is_repeated());
  const auto bits = plain_solid_bits(*problem_, window_);
  auto requests = sums_->buffers();
  for (auto& grid : grids_) requests.push_back({&grid, grid_cells() * Lattice::directions * sizeof(T)});
  requests.push_back({&solid_bits_, bits.size() * sizeof(cl_uint), bits.data()});
  if (plan_.is_persistent) {
    requests.push_back({&mailbox_, plan_.mailbox_words * sizeof(cl_uint)});
    requests.push_back({&failures_, sizeof(cl_int)});
  }
  session_->allocate(requests);
}

template <class T>
void BlockStrip<T>::set_up_kernels() {
  const Relaxation<T> relaxation = make_relaxation<T>(problem_->parameters);
  const cl::Buffer& partial_sums = sums_->partial_sums();
  for (std::size_t i = 0; i < 2; ++i) {  // what changes from launch to launch comes first, see enqueue
    const cl::Buffer &source = grids_[i], &target = grids_[1 - i];
    if (plan_.strips > 0)
      kernels_[i] = call_of(program_, plan_.kernel, 0, 0, 0, Bands{}, 0, source, target, solid_bits_,
                            partial_sums, relaxation, sums_a_step());
    else if (plan_.is_persistent)
      kernels_[i] = call_of(program_, plan_.kernel, 0, 0, 0, source, target, solid_bits_, partial_sums,
                            relaxation, mailbox_, failures_);
    else
      kernels_[i] =
          call_of(program_, plan_.kernel, 0, 0, 0, source, target, solid_bits_, partial_sums, relaxation);
  }
  accelerate_start_ = call_of(program_, "accelerate_start", 0, solid_bits_, grids_[0], relaxation);
  sums_->set_up(program_, device_);
}

/// A step in each direction on a grid at rest, which stays at rest without body force.
template <class T>
void BlockStrip<T>::launch_first() {
  for (int number = 0; number < static_cast<int>(launches_.size()); ++number)
    for (int source = 0; source < 2; ++source)
      enqueue({.number = number, .bands = launches_[number], .source = source, .is_end = true});
  sums_->enqueue_sums(session_->queue(), 0, 1);
}

/// The state at rest is all zeros; then the body force of the first step.
template <class T>
void BlockStrip<T>::start() {
  state_ = 0;
  const int row = own_driven_row(problem_->parameters, window_);
  if (row < 0) return;
  set_arguments(accelerate_start_, row);
  session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange, cl::NDRange(row_cells()));
}

template <class T>
void BlockStrip<T>::enqueue(const Launch& launch) {
  constexpr cl_uint first_word = 0x40000000;  // see kernels/mailbox.h
  cl::CommandQueue& queue = launch.queue ? *launch.queue : session_->queue();
  if (plan_.is_persistent)
    queue.enqueueFillBuffer(mailbox_, first_word, 0, plan_.mailbox_words * sizeof(cl_uint));
  cl::Kernel& kernel = kernels_[launch.source];
  const Shape& shape = shapes_[launch.number];
  const cl_int first_sum = launch.first_sum + launch_sums_[launch.number], is_end = launch.is_end;
  if (plan_.strips > 0)
    set_arguments(kernel, first_sum, launch.steps, is_end, launch.bands, shape.chunk_rows);
  else
    set_arguments(kernel, first_sum, launch.steps, is_end);
  const auto items = static_cast<std::size_t>(plan_.items);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange,
                             cl::NDRange(static_cast<std::size_t>(shape.groups) * items), cl::NDRange(items),
                             launch.after, launch.done);
  state_ = 1 - launch.source;
  steps_per_launch_ = std::max(steps_per_launch_, launch.steps);
}

template <class T>
void BlockStrip<T>::run(int steps, const std::function<void(int, int, int)>& enqueue_steps,
                        std::span<double> av_vels) {
  constexpr int most_pending = 4096;
  attempt("run the time steps", [&] {
    sums_->run(session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
               enqueue_steps, av_vels);
  });
  if (plan_.is_persistent) confirm_waits();
}

/// Throws Error (unavailable) when a group has timed out.
template <class T>
void BlockStrip<T>::confirm_waits() {
  cl_int failures = 0;
  attempt("read whether all waits ended",
          [&] { session_->queue().enqueueReadBuffer(failures_, CL_TRUE, 0, sizeof failures, &failures); });
  if (failures)
    throw unavailable(
        "persistent: a work-group timed out waiting for another one on {}: not all {} of them were resident "
        "at once, or the run is unstable; take another variant",
        device_.name, plan_.groups);
}

template <class T>
auto BlockStrip<T>::stretches(int row, int count) const -> Stretches {
  const std::size_t row_bytes = row_cells() * sizeof(T);
  return {.from = {static_cast<std::size_t>(row) * row_bytes, 0, 0},
          .to = {0, 0, 0},
          .region = {static_cast<std::size_t>(count) * row_bytes, Lattice::directions, 1},
          .pitch = grid_cells() * sizeof(T)};
}

template <class T>
std::size_t BlockStrip<T>::halo_bytes(HaloDirection) const {
  return row_cells() * static_cast<std::size_t>(window_.halo) * Lattice::directions * sizeof(T);
}

template <class T>
void BlockStrip<T>::enqueue_read(cl::CommandQueue& queue, HaloDirection direction, int state, void* host,
                                 const std::vector<cl::Event>& after, cl::Event& done) {
  const auto at =
      stretches(direction == HaloDirection::northward ? window_.rows : window_.halo, window_.halo);
  queue.enqueueReadBufferRect(grids_[state], CL_FALSE, at.from, at.to, at.region, at.pitch, 0, at.region[0],
                              0, host, &after, &done);
}

template <class T>
void BlockStrip<T>::enqueue_write(cl::CommandQueue& queue, HaloDirection direction, int state,
                                  const void* host, cl::Event& done) {
  const auto at =
      stretches(direction == HaloDirection::northward ? 0 : window_.halo + window_.rows, window_.halo);
  queue.enqueueWriteBufferRect(grids_[state], CL_FALSE, at.from, at.to, at.region, at.pitch, 0, at.region[0],
                               0, host, nullptr, &done);
}

template <class T>
void BlockStrip<T>::collect(const Fields& fields) {
  constexpr std::size_t read_bytes = std::size_t{16} << 20;
  const std::size_t row_bytes = row_cells() * Lattice::directions * sizeof(T);
  const auto most_rows = static_cast<int>(
      std::clamp<std::size_t>(read_bytes / row_bytes, 1, static_cast<std::size_t>(window_.rows)));
  std::vector<T> values(row_cells() * Lattice::directions * static_cast<std::size_t>(most_rows));
  for (int y = 0; y < window_.rows; y += most_rows) {
    const int rows = std::min(most_rows, window_.rows - y);
    const auto at = stretches(window_.halo + y, rows);
    attempt("read the final state", [&] {
      session_->queue().enqueueReadBufferRect(grids_[state_], CL_TRUE, at.from, at.to, at.region, at.pitch, 0,
                                              at.region[0], 0, values.data());
    });
    const int nx = problem_->parameters.nx;
    const std::size_t cells = row_cells() * static_cast<std::size_t>(rows);
    collect_fields(
        nx, rows, problem_->parameters.density, from_row(fields, y, nx),
        [&](int i, int x, int row) { return values[i * cells + static_cast<std::size_t>(row) * nx + x]; });
  }
}

template <class T>
RunFacts BlockStrip<T>::facts() const {
  RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", plan_.items)},
                                    {"groups", shapes_.front().groups},
                                    {"pieces", plan_.pieces},
                                    {"time_block", plan_.depth},
                                    {"delay", delay_text(delay_)},
                                    {"memory_bytes_per_update", plan_.bytes_per_update}});
  if (Repeated::is_recorded && !plan_.is_persistent)
    facts.settings["launches"] = is_repeated() ? "graphs" : "single";
  facts.bytes_per_update = 2 * Lattice::directions * sizeof(T);
  facts.flops_per_update = counted_cell_flops();
  facts.steps_per_launch = steps_per_launch_;
  return facts;
}

template class BlockStrip<float>;
template class BlockStrip<double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
