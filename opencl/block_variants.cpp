// The variants that do several steps in a launch: `time-block`, and `persistent`, which does all of them.
#include <fmt/format.h>

#include <climits>
#include <optional>
#include <vector>

#include "common/counting.hpp"
#include "common/lattice.hpp"
#include "common/macroscopic.hpp"
#include "common/relaxation.hpp"
#include "opencl/blocks.hpp"
#include "opencl/error.hpp"
#include "opencl/models.hpp"
#include "opencl/rows.hpp"
#include "opencl/session.hpp"
#include "opencl/step_sums.hpp"
#include "opencl/work_group.hpp"

namespace boltzmark {
namespace {

/// Chooses how the grid is cut; throws as blocks.hpp says.
using Planner = BlockPlan (*)(const OpenclDevice&, const OpenclOptions&, const Parameters&);

BlockPlan plan_time_block(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  if (device.sub_groups == SubGroups::warps && options.precision == Precision::f32)
    return plan_wavefront(device, options, grid);
  return plan_tiles(device, options, grid);
}

template <class T>
class BlockModel final : public Model {
 public:
  BlockModel(Planner planner, const OpenclDevice& device, const OpenclOptions& options)
      : planner_(planner), device_(device), options_(options) {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    plan_ = planner_(device_, options_, problem.parameters);
    const Parameters& p = problem.parameters;
    session_.emplace(device_, options_);
    program_ = session_->build(plan_.source,
                               {.group = {plan_.items, 1},
                                .reduction = default_reduction(device_),
                                .lanes = plan_.source == wavefront_source ? 2 : 1,
                                .defines = fmt::format("-D NX={} -D NY={} {}", p.nx, p.ny, plan_.defines),
                                .native_math = true});
    allocate();
    attempt("set up the kernels", [&] { set_up_kernels(); });
    session_->first_launches({plan_.items, 1}, [&] { launch_first(); });
    session_->upload([&] { start(); });
  }

  void run(int steps, std::span<double> av_vels) override {
    constexpr int most_pending = 4096;
    attempt("run the time steps", [&] {
      sums_->run(
          session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
          [&](int step, int count, int first_sum) { enqueue_steps(count, first_sum, step + count == steps); },
          av_vels);
    });
    if (plan_.is_persistent) check_waits();
  }

  void collect(State& state) override {
    std::vector<T> values(grid_values());
    attempt("read the final state", [&] {
      session_->queue().enqueueReadBuffer(grids_[launches_ % 2], CL_TRUE, 0, values.size() * sizeof(T),
                                          values.data());
    });
    const auto cells = static_cast<std::size_t>(problem_->cells());
    for (std::size_t cell = 0; cell < cells; ++cell) {
      Populations<double> a;
      for (int i = 0; i < Lattice::directions; ++i)
        a.f[i] = static_cast<double>(values[static_cast<std::size_t>(i) * cells + cell]);
      store_macroscopic(a, problem_->parameters.density, state.ux[cell], state.uy[cell], state.density[cell]);
    }
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", plan_.items)},
                                      {"groups", plan_.groups},
                                      {"pieces", plan_.pieces},
                                      {"time_block", plan_.depth},
                                      {"delay", delay_text(delay_)},
                                      {"memory_bytes_per_update", plan_.bytes_per_update}});
    facts.bytes_per_update = 2 * Lattice::directions * sizeof(T);
    facts.flops_per_update = counted_cell_flops();
    return facts;
  }

 private:
  std::size_t grid_values() const {
    return static_cast<std::size_t>(problem_->cells()) * Lattice::directions;
  }

  void allocate() {
    sums_.emplace(static_cast<std::size_t>(plan_.sums_a_step), delay_,
                  plan_.is_persistent ? INT_MAX : plan_.depth);
    const auto bits = plain_obstacle_bits(*problem_, whole_grid(problem_->parameters));
    auto requests = sums_->buffers();
    for (auto& grid : grids_) requests.push_back({&grid, grid_values() * sizeof(T)});
    requests.push_back({&obstacles_, bits.size() * sizeof(cl_uint), bits.data()});
    if (plan_.is_persistent) {
      requests.push_back({&mail_, plan_.mail_words * sizeof(cl_uint)});
      requests.push_back({&failures_, sizeof(cl_int)});
    }
    session_->allocate(requests);
  }

  void set_up_kernels() {
    const Relaxation<T> relaxation = make_relaxation<T>(problem_->parameters);
    for (std::size_t i = 0; i < 2; ++i) {
      cl::Kernel& kernel = kernels_[i] = cl::Kernel(program_, plan_.kernel);
      kernel.setArg(0, grids_[i]);
      kernel.setArg(1, grids_[1 - i]);
      kernel.setArg(2, obstacles_);
      kernel.setArg(3, sums_->partial_sums());
      kernel.setArg(7, relaxation);
      if (!plan_.is_persistent) continue;
      kernel.setArg(8, mail_);
      kernel.setArg(9, failures_);
    }
    accelerate_start_ = cl::Kernel(program_, "accelerate_start");
    accelerate_start_.setArg(0, obstacles_);
    accelerate_start_.setArg(1, grids_[0]);
    accelerate_start_.setArg(2, relaxation);
    sums_->set_up(program_, device_);
  }

  /// A step in each direction on a grid at rest, which stays at rest without body force.
  void launch_first() {
    for (int i = 0; i < 2; ++i) enqueue_steps(1, 0, true);
    sums_->enqueue_sums(session_->queue(), 0, 1);
  }

  /// The state at rest is all zeros; then the body force of the first step.
  void start() {
    launches_ = 0;
    session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange,
                                           cl::NDRange(static_cast<std::size_t>(problem_->parameters.nx)));
  }

  /// `count` steps, the last ones of the run where `is_end`.
  void enqueue_steps(int count, int first_sum, bool is_end) {
    constexpr cl_uint first_mail = 0x40000000;  // see kernels/mail.h
    cl::CommandQueue& queue = session_->queue();
    if (plan_.is_persistent)
      queue.enqueueFillBuffer(mail_, first_mail, 0, plan_.mail_words * sizeof(cl_uint));
    cl::Kernel& kernel = kernels_[launches_++ % 2];
    kernel.setArg(4, first_sum);
    kernel.setArg(5, count);
    kernel.setArg(6, static_cast<cl_int>(is_end));
    const auto items = static_cast<std::size_t>(plan_.items);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange,
                               cl::NDRange(static_cast<std::size_t>(plan_.groups) * items),
                               cl::NDRange(items));
  }

  /// Throws Error (unavailable) when a group has waited in vain.
  void check_waits() {
    cl_int failures = 0;
    attempt("read whether all waits ended",
            [&] { session_->queue().enqueueReadBuffer(failures_, CL_TRUE, 0, sizeof failures, &failures); });
    if (failures)
      throw unavailable(
          "persistent: a work-group waited in vain for another one on {}: not all {} of them were resident "
          "at "
          "once, or the run is unstable; take another variant",
          device_.name, plan_.groups);
  }

  Planner planner_;
  OpenclDevice device_;
  OpenclOptions options_;
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  BlockPlan plan_;
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> kernels_;  ///< from one grid to the other, and back
  cl::Kernel accelerate_start_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer obstacles_, mail_, failures_;
  int launches_ = 0;
};

}  // namespace

std::vector<Variant> block_variants() {
  return {
      {.name = "time-block",
       .summary = "several steps a launch: a wavefront in registers, or tiles that overlap in local memory",
       .precisions = {Precision::f32, Precision::f64},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {"delay"}},
      {.name = "persistent",
       .summary = "all steps in one launch, where the whole grid fits the device's local memories",
       .precisions = {Precision::f32},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {"delay"}}};
}

std::unique_ptr<Model> make_block_variant(const std::string& name, const OpenclDevice& device,
                                          const OpenclOptions& options) {
  if (name == "persistent") return std::make_unique<BlockModel<float>>(plan_persistent, device, options);
  if (name != "time-block") return nullptr;
  if (options.precision == Precision::f64)
    return std::make_unique<BlockModel<double>>(plan_time_block, device, options);
  return std::make_unique<BlockModel<float>>(plan_time_block, device, options);
}

bool persistent_fits(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  try {
    plan_persistent(device, options, grid);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace boltzmark
