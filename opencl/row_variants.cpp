// The variants that walk along rows, a vector of cells at a time: `two-grid` from one grid to another,
// `in-place` in one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <type_traits>
#include <vector>

#include "common/counting.hpp"
#include "common/lattice.hpp"
#include "common/relaxation.hpp"
#include "opencl/error.hpp"
#include "opencl/models.hpp"
#include "opencl/rows.hpp"
#include "opencl/session.hpp"
#include "opencl/step_sums.hpp"
#include "opencl/work_group.hpp"

namespace boltzmark {
namespace {

/// What tells these variants apart.
struct RowVariant {
  const char* name;
  const char* summary;
  std::string_view source;
  std::array<const char*, 2> kernels;  ///< of the first step and every second one, and of those between
  int grids;                           ///< 2: each step from one to the other; 1: in place
  const char*
      settle;  ///< kernel that brings the plain order back after an odd number of steps, "" = not needed
};

const std::vector<RowVariant>& row_table() {
  static const std::vector<RowVariant> table = {
      {.name = "two-grid",
       .summary = "two grids in structure-of-arrays form on the device, one masked kernel a step",
       .source = two_grid_source,
       .kernels = {"two_grid_step", "two_grid_step"},
       .grids = 2,
       .settle = ""},
      {.name = "in-place",
       .summary =
           "one grid, updated in place by two kernels in turn (AA pattern); obstacle cells are skipped",
       .source = in_place_source,
       .kernels = {"neighbour_step", "local_step"},
       .grids = 1,
       .settle = "settle"},
  };
  return table;
}

/// T: of the arithmetic, Stored: in memory.
template <class T, class Stored>
class RowModel final : public Model {
 public:
  RowModel(const RowVariant& variant, const OpenclDevice& device, const OpenclOptions& options)
      : variant_(variant), device_(device), options_(options) {
    if (options_.work_group) check_work_group(device_, *options_.work_group, sizeof(T));
    check_reduction(device_, reduction_);
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    lanes_ = lanes();
    layout_ = make_layout(problem.parameters, lanes_, sizeof(Stored));
    vectors_per_item_ = vectors_per_item();
    group_ = options_.work_group.value_or(default_work_group(device_, items_in_row(), layout_.ny));
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

  void run(int steps, std::span<double> av_vels) override {
    constexpr int most_pending = 4096;
    attempt("run the time steps", [&] {
      sums_->run(
          session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
          [&](int step, int, int first_sum) { enqueue_step(step, first_sum, step + 1 < steps); }, av_vels);
    });
    steps_done_ = steps;
  }

  void collect(State& state) override {
    attempt("read the final state", [&] {
      if (steps_done_ % 2 == 1) enqueue_settle();
      read_rows<Stored>(session_->queue(), grids_[steps_done_ % variant_.grids], layout_,
                        problem_->parameters.density, state);
    });
  }

  RunFacts facts() const override {
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

 private:
  static constexpr bool is_half = std::is_same_v<Stored, StoredHalf>;
  /// Of average velocities and fields over the full standard runs; README.md has what was measured.
  static constexpr double half_tolerance = 4e-3;

  /// What the user wants; else as many as a CPU's registers hold, and one on a GPU, or two halves.
  int lanes() const {
    if (!options_.lanes)
      return device_.type == DeviceType::cpu ? device_.native_lanes(options_.precision) : is_half ? 2 : 1;
    for (const int offered : {1, 2, 4, 8, 16})
      if (offered == *options_.lanes) return offered;
    throw bad_input("--vvl: expected 1, 2, 4, 8 or 16, found {}", *options_.lanes);
  }

  int items_in_row() const { return (layout_.vectors + vectors_per_item_ - 1) / vectors_per_item_; }

  /// On a CPU a long stretch of a row a work-item saves what each item costs, but not so long that a
  /// work-group as wide as was asked for has nothing to do. On a GPU neighbouring items must read
  /// neighbouring cells.
  int vectors_per_item() const {
    constexpr int most = 16;
    if (device_.type != DeviceType::cpu) return 1;
    return std::clamp(layout_.vectors / (options_.work_group ? options_.work_group->x : 1), 1, most);
  }

  cl::NDRange global() const {
    return cl::NDRange(round_up(items_in_row(), group_.x), round_up(layout_.ny, group_.y));
  }

  void allocate() {
    sums_.emplace(groups_in(global(), group_), delay_);
    const auto bits = obstacle_bits(*problem_, layout_);
    auto requests = sums_->buffers();
    for (int i = 0; i < variant_.grids; ++i)
      requests.push_back({&grids_[i], grid_values(layout_) * sizeof(Stored)});
    requests.push_back({&obstacles_, bits.size() * sizeof(cl_uint), bits.data()});
    session_->allocate(requests);
  }

  void set_up_kernels() {
    const Relaxation<T> relaxation = make_relaxation<T>(problem_->parameters);
    for (int i = 0; i < 2; ++i) {
      cl::Kernel& step = steps_[i] = cl::Kernel(program_, variant_.kernels[i]);
      step.setArg(0, obstacles_);
      step.setArg(1, sums_->partial_sums());
      step.setArg(4, cl::Local(sizeof(T) * group_.x * group_.y));
      step.setArg(5, layout_);
      step.setArg(6, relaxation);
      step.setArg(7, grids_[i % variant_.grids]);
      if (variant_.grids == 2) step.setArg(8, grids_[1 - i]);
    }
    accelerate_start_ = cl::Kernel(program_, "accelerate_start");
    accelerate_start_.setArg(0, obstacles_);
    accelerate_start_.setArg(1, layout_);
    accelerate_start_.setArg(2, relaxation);
    accelerate_start_.setArg(3, grids_[0]);
    if (*variant_.settle) {
      settle_ = cl::Kernel(program_, variant_.settle);
      settle_.setArg(0, grids_[0]);
      settle_.setArg(1, layout_);
    }
    sums_->set_up(program_, device_);
  }

  /// The grids are all zeros, the state at rest, which neither steps nor the change of their order alter.
  /// Then the body force of the first step.
  void launch_first() {
    for (int step = 0; step < 2; ++step) enqueue_step(step, 0, false);
    sums_->enqueue_sums(session_->queue(), 0, 1);
    enqueue_settle();
    session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange, cl::NDRange(layout_.vectors));
  }

  void enqueue_settle() {
    if (settle_())
      session_->queue().enqueueNDRangeKernel(settle_, cl::NullRange, cl::NDRange(layout_.nx, layout_.ny));
  }

  /// Step number `step`, with the body force of the next one where there is one.
  void enqueue_step(int step, int first_sum, bool another_follows) {
    cl::Kernel& kernel = steps_[step % 2];
    kernel.setArg(2, first_sum);
    kernel.setArg(3, another_follows ? layout_.ny - 2 : -1);
    session_->queue().enqueueNDRangeKernel(kernel, cl::NullRange, global(), cl::NDRange(group_.x, group_.y));
  }

  const RowVariant& variant_;
  OpenclDevice device_;
  OpenclOptions options_;
  Reduction reduction_ = options_.reduction.value_or(default_reduction(device_));
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  int lanes_ = 1, vectors_per_item_ = 1;
  Layout layout_ = {};
  WorkGroup group_;
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> steps_;
  cl::Kernel accelerate_start_, settle_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer obstacles_;
  int steps_done_ = 0;
};

}  // namespace

std::vector<Variant> row_variants() {
  std::vector<Variant> variants;
  for (const auto& row : row_table()) {
    std::vector<std::string> options = {"reduction", "delay"};
    if (row.grids == 2) options.push_back("storage");
    variants.push_back({.name = row.name,
                        .summary = row.summary,
                        .precisions = {Precision::f32, Precision::f64},
                        .takes_vvl = true,
                        .options = options});
  }
  return variants;
}

std::unique_ptr<Model> make_row_variant(const std::string& name, const OpenclDevice& device,
                                        const OpenclOptions& options) {
  for (const auto& row : row_table()) {
    if (row.name != name) continue;
    if (options.precision == Precision::f64) {
      if (options.half_storage) throw bad_input("--storage: f16 goes with single precision, found f64");
      return std::make_unique<RowModel<double, double>>(row, device, options);
    }
    if (options.half_storage) return std::make_unique<RowModel<float, StoredHalf>>(row, device, options);
    return std::make_unique<RowModel<float, float>>(row, device, options);
  }
  return nullptr;
}

}  // namespace boltzmark
