#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/counting.hpp"
#include "common/lattice.hpp"
#include "common/macroscopic.hpp"
#include "common/relaxation.hpp"
#include "opencl/error.hpp"
#include "opencl/kernels/layout.h"
#include "opencl/models.hpp"
#include "opencl/program.hpp"
#include "opencl/work_group.hpp"

namespace boltzmark {
namespace {

int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Grid layout of a problem for work-items of `lanes` cells and values of `value_bytes`.
Layout make_layout(const Parameters& p, int lanes, int value_bytes) {
  constexpr int line_bytes = 128, page_bytes = 4096, longest_row = 200'000'000;  // a row's values fit an int
  if (p.nx > longest_row)
    throw unavailable("OpenCL: expected rows of at most {} cells, found {}", longest_row, p.nx);
  Layout layout = {};
  layout.nx = p.nx;
  layout.ny = p.ny;
  layout.vectors = (p.nx + lanes - 1) / lanes;
  layout.west = line_bytes / value_bytes;  // x = 0 stands on a cache line of any device
  layout.pitch = layout.west + round_up(p.nx, layout.west);
  // Segments a multiple of a page apart compete for the same lines of a CPU's first-level cache.
  if (layout.pitch * value_bytes % page_bytes == 0) layout.pitch += layout.west;
  layout.mask_words = (p.nx + 31) / 32;
  return layout;
}

/// One bit a cell, see layout.h.
std::vector<cl_uint> obstacle_bits(const Problem& problem, const Layout& layout) {
  std::vector<cl_uint> bits(static_cast<std::size_t>(layout.mask_words) * layout.ny);
  if (layout.nx % 32 != 0)
    for (int y = 0; y < layout.ny; ++y)
      bits[static_cast<std::size_t>(y + 1) * layout.mask_words - 1] = ~cl_uint{0} << (layout.nx % 32);
  for (const std::int64_t cell : problem.blocked) {
    const auto x = static_cast<int>(cell % layout.nx);
    bits[static_cast<std::size_t>(cell / layout.nx) * layout.mask_words + x / 32] |= cl_uint{1} << (x % 32);
  }
  return bits;
}

template <class T>
class Fused final : public Model {
 public:
  Fused(OpenclDevice device, std::optional<WorkGroup> work_group)
      : device_(std::move(device)), wanted_group_(work_group) {
    if (wanted_group_) check_work_group(device_, *wanted_group_, sizeof(T));
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    lanes_ = device_.type == DeviceType::cpu ? device_.native_lanes(precision) : 1;
    layout_ = make_layout(problem.parameters, lanes_, sizeof(T));
    vectors_per_item_ = vectors_per_item();
    group_ = wanted_group_.value_or(default_work_group(device_, items_in_row(), layout_.ny));
    attempt("open " + device_.name, [&] {
      context_ = cl::Context(device_.handle);
      queue_ = cl::CommandQueue(context_, device_.handle);
    });
    build();
    allocate();
    attempt("set up the kernels", [&] { set_arguments(); });
    attempt("set the start state", [&] { start(); });
  }

  void run(int steps, std::span<double> av_vels) override {
    const double fluid_cells = static_cast<double>(problem_->fluid_cells());
    std::vector<T> sums(static_cast<std::size_t>(block_steps_));
    attempt("run the time steps", [&] {
      for (int done = 0; done < steps;) {
        const int count = std::min(block_steps_, steps - done);
        enqueue_steps(count, done + count == steps);
        enqueue_sums(count);
        queue_.enqueueReadBuffer(sums_, CL_TRUE, 0, count * sizeof(T), sums.data());
        for (int i = 0; i < count; ++i) av_vels[done + i] = static_cast<double>(sums[i]) / fluid_cells;
        done += count;
      }
      queue_.finish();
    });
  }

  void collect(State& state) override {
    constexpr std::size_t read_bytes = std::size_t{16} << 20;
    const auto rows = static_cast<int>(std::clamp<std::size_t>(read_bytes / row_bytes(), 1, layout_.ny));
    std::vector<T> values(row_values() * rows);
    attempt("read the final state", [&] {
      for (int y = 0; y < layout_.ny; y += rows) {
        const int count = std::min(rows, layout_.ny - y);
        queue_.enqueueReadBuffer(grids_[source_], CL_TRUE, y * row_bytes(), count * row_bytes(),
                                 values.data());
        for (int i = 0; i < count; ++i) store_row(&values[row_values() * i], y + i, state);
      }
    });
  }

  RunFacts facts() const override {
    RunFacts facts;
    facts.device = device_.name;
    facts.device_type = to_string(device_.type);
    facts.driver = device_.driver;
    facts.threads = 0;
    facts.bytes_per_update = 2 * Lattice::directions * sizeof(T);
    facts.flops_per_update = counted_cell_flops();
    facts.extra = {{"work_group", fmt::format("{}x{}", group_.x, group_.y)},
                   {"vector_width", lanes_},
                   {"vectors_per_item", vectors_per_item_}};
    return facts;
  }

 private:
  static constexpr Precision precision = sizeof(T) == sizeof(float) ? Precision::f32 : Precision::f64;
  static constexpr std::size_t partial_sums_bytes = std::size_t{64} << 20;
  /// Steps between two waits for the device; bounds what the queue holds.
  static constexpr int most_block_steps = 4096;

  std::size_t row_values() const { return static_cast<std::size_t>(Lattice::directions) * layout_.pitch; }
  std::size_t row_bytes() const { return row_values() * sizeof(T); }
  std::size_t grid_bytes() const { return row_bytes() * layout_.ny + layout_.west * sizeof(T); }
  int items_in_row() const { return (layout_.vectors + vectors_per_item_ - 1) / vectors_per_item_; }

  /// On a CPU a long stretch of a row a work-item saves what each item costs, but not so long that a
  /// work-group as wide as was asked for has nothing to do. On a GPU neighbouring items must read
  /// neighbouring cells.
  int vectors_per_item() const {
    constexpr int most = 16;
    if (device_.type != DeviceType::cpu) return 1;
    return std::clamp(layout_.vectors / (wanted_group_ ? wanted_group_->x : 1), 1, most);
  }

  cl::NDRange local() const { return cl::NDRange(group_.x, group_.y); }
  cl::NDRange global() const {
    return cl::NDRange(round_up(items_in_row(), group_.x), round_up(layout_.ny, group_.y));
  }

  void build() {
    const cl::Program program =
        build_program(context_, device_, fused_source, {precision, lanes_, vectors_per_item_, group_});
    attempt("find the kernels", [&] {
      for (auto& step : steps_) step = cl::Kernel(program, "fused_step");
      accelerate_start_ = cl::Kernel(program, "accelerate_start");
      sum_steps_ = cl::Kernel(program, "sum_steps");
      sum_items_ =
          std::min<std::size_t>(256, sum_steps_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_.handle));
    });
  }

  void allocate() {
    const auto range = global();
    groups_ = static_cast<int>(range[0] / group_.x * (range[1] / group_.y));
    const std::size_t step_bytes = groups_ * sizeof(T);
    block_steps_ =
        static_cast<int>(std::clamp<std::size_t>(partial_sums_bytes / step_bytes, 1, most_block_steps));
    auto bits = obstacle_bits(*problem_, layout_);
    const std::size_t needed =
        2 * grid_bytes() + block_steps_ * (step_bytes + sizeof(T)) + bits.size() * sizeof(cl_uint);
    if (needed > device_.global_bytes || grid_bytes() > device_.largest_buffer_bytes) throw too_large(needed);
    try {
      for (auto& grid : grids_) grid = cl::Buffer(context_, CL_MEM_READ_WRITE, grid_bytes());
      partial_sums_ = cl::Buffer(context_, CL_MEM_READ_WRITE, block_steps_ * step_bytes);
      sums_ = cl::Buffer(context_, CL_MEM_READ_WRITE, block_steps_ * sizeof(T));
      obstacles_ = cl::Buffer(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                              bits.size() * sizeof(cl_uint), bits.data());
      // Many drivers take memory only when it is first written, so a shortage may show only here.
      for (auto& grid : grids_) queue_.enqueueFillBuffer(grid, T(0), 0, grid_bytes());
      queue_.finish();
    } catch (const cl::Error& error) {
      if (is_out_of_memory(error.err())) throw too_large(needed);
      throw unavailable("cannot allocate the grids on {}: {} from {}", device_.name, status_name(error.err()),
                        error.what());
    }
  }

  Error too_large(std::size_t needed) const {
    constexpr double mib = 1 << 20;
    return unavailable(
        "{} has too little memory: this grid needs {:.1f} MiB, {:.1f} MiB of it in one buffer; the device "
        "has {:.1f} MiB and allows {:.1f} MiB a buffer",
        device_.name, needed / mib, grid_bytes() / mib, device_.global_bytes / mib,
        device_.largest_buffer_bytes / mib);
  }

  void set_arguments() {
    const Relaxation<T> relaxation = make_relaxation<T>(problem_->parameters);
    for (int i = 0; i < 2; ++i) {
      cl::Kernel& step = steps_[i];
      step.setArg(0, grids_[i]);
      step.setArg(1, grids_[i ^ 1]);
      step.setArg(2, obstacles_);
      step.setArg(3, partial_sums_);
      step.setArg(6, cl::Local(sizeof(T) * group_.x * group_.y));
      step.setArg(7, layout_);
      step.setArg(8, relaxation);
    }
    accelerate_start_.setArg(0, grids_[0]);
    accelerate_start_.setArg(1, obstacles_);
    accelerate_start_.setArg(2, layout_);
    accelerate_start_.setArg(3, relaxation);
    sum_steps_.setArg(0, partial_sums_);
    sum_steps_.setArg(1, groups_);
    sum_steps_.setArg(2, sums_);
    sum_steps_.setArg(3, cl::Local(sizeof(T) * sum_items_));
  }

  /// The grids are all zeros, the state at rest, which a step does not change: two steps here make the driver
  /// finish what it leaves for a kernel's first launch, outside the timed part. Then the first step's body
  /// force.
  void start() {
    try_work_group();
    enqueue_sums(1);
    queue_.enqueueNDRangeKernel(accelerate_start_, cl::NullRange, cl::NDRange(layout_.vectors));
    queue_.finish();
  }

  /// What a kernel's registers and local memory leave room for is known only by launching it: drivers report
  /// a smaller CL_KERNEL_WORK_GROUP_SIZE than they run.
  void try_work_group() {
    try {
      for (int i = 0; i < 2; ++i) enqueue_steps(1, true);
      queue_.finish();
    } catch (const cl::Error& error) {
      if (error.err() != CL_INVALID_WORK_GROUP_SIZE && error.err() != CL_OUT_OF_RESOURCES) throw;
      throw bad_input("--work-group: {} cannot run this kernel in groups of {}x{}: {}", device_.name,
                      group_.x, group_.y, status_name(error.err()));
    }
  }

  /// `count` time steps, which leave their partial sums from the buffer's start on; after the last step of a
  /// run there is no body force.
  void enqueue_steps(int count, bool last) {
    constexpr int steps_a_flush = 64;
    const auto global_size = global(), local_size = local();
    for (int i = 0; i < count; ++i, source_ ^= 1) {
      cl::Kernel& step = steps_[source_];
      step.setArg(4, i * groups_);
      step.setArg(5, last && i == count - 1 ? -1 : layout_.ny - 2);
      queue_.enqueueNDRangeKernel(step, cl::NullRange, global_size, local_size);
      if (i % steps_a_flush == 0) queue_.flush();
    }
  }

  void enqueue_sums(int count) {
    queue_.enqueueNDRangeKernel(sum_steps_, cl::NullRange, cl::NDRange(count * sum_items_),
                                cl::NDRange(sum_items_));
  }

  /// Density and velocity of row y from its values as they lie in the grid.
  void store_row(const T* values, int y, State& state) const {
    for (int x = 0; x < layout_.nx; ++x) {
      Populations<double> a;
      for (int i = 0; i < Lattice::directions; ++i)
        a.f[i] = static_cast<double>(values[i * layout_.pitch + layout_.west + x]);
      const auto cell = static_cast<std::size_t>(y) * layout_.nx + x;
      store_macroscopic(a, problem_->parameters.density, state.ux[cell], state.uy[cell], state.density[cell]);
    }
  }

  OpenclDevice device_;
  std::optional<WorkGroup> wanted_group_;
  const Problem* problem_ = nullptr;
  int lanes_ = 1, vectors_per_item_ = 1;
  Layout layout_ = {};
  WorkGroup group_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::array<cl::Kernel, 2> steps_;  ///< entry i reads grid i and writes the other
  cl::Kernel accelerate_start_, sum_steps_;
  std::size_t sum_items_ = 1;  ///< work-items that sum one step
  std::array<cl::Buffer, 2> grids_;
  int source_ = 0;  ///< the grid that the next step reads
  cl::Buffer partial_sums_, sums_, obstacles_;
  int groups_ = 0;       ///< work-groups, and so partial sums, a step
  int block_steps_ = 1;  ///< steps whose partial sums fit the buffer
};

}  // namespace

std::unique_ptr<Model> make_fused(const OpenclDevice& device, const Options& options) {
  if (options.precision == Precision::f64) return std::make_unique<Fused<double>>(device, options.work_group);
  return std::make_unique<Fused<float>>(device, options.work_group);
}

}  // namespace boltzmark
