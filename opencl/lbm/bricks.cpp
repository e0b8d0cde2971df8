#include "opencl/lbm/bricks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>

#include "common/base/error.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/lbm/brick_plan.hpp"
#include "opencl/lbm/row_layout.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

class Bricks final : public Solver {
 public:
  Bricks(const ComputeDevice& device, const LbmOptions& options) : device_(device), options_(options) {}

  void init(const Problem& problem) override;
  void run(int steps, std::span<double> av_vels) override;
  void collect(State& state) override;
  RunFacts facts() const override;

 private:
  const Parameters& grid() const { return problem_->parameters; }
  void allocate();
  void set_up_kernels();
  void start();
  void enqueue(int steps, int driven_steps, int first_sum);
  void expect_no_failures();

  ComputeDevice device_;
  LbmOptions options_;
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  BrickPlan plan_;
  Layout layout_ = {};
  std::optional<Session> session_;
  std::optional<StepSums<float>> sums_;
  cl::Program program_;
  std::array<cl::Kernel, 2> steps_;  ///< from one grid to the other, and back
  cl::Kernel accelerate_start_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer solid_bits_, mailbox_, failures_;
  int state_ = 0;  ///< the newest grid
  int steps_per_launch_ = 1;
};

void Bricks::init(const Problem& problem) {
  if (!problem.moving.empty())
    throw unavailable("persistent: walls that move need every step by itself; take two-grid or in-place");
  problem_ = &problem;
  plan_ = plan_bricks(device_, options_, grid());
  layout_ = make_layout(grid(), whole_grid(grid()), 1, sizeof(float), false);
  session_.emplace(device_, options_);
  program_ = session_->build(
      bricks_source, {.group = {plan_.items, 1},
                      .reduction = default_reduction(device_),
                      .defines = fmt::format(
                          "-D LATTICE_D3Q19 -D NX={} -D NY={} -D NZ={} -D PITCH={} -D WEST={} {}", layout_.nx,
                          layout_.ny, layout_.nz, layout_.pitch, layout_.west, plan_.defines()),
                      .native_math = true});
  allocate();
  attempt("set up the kernels", [&] { set_up_kernels(); });
  // A step in each direction on a grid at rest, which stays at rest without body force.
  session_->first_launches({plan_.items, 1}, [&] {
    for (int i = 0; i < 2; ++i) enqueue(1, 0, 0);
    sums_->enqueue_sums(session_->queue(), 0, 1);
  });
  session_->upload([&] { start(); });
}

void Bricks::allocate() {
  sums_.emplace(static_cast<std::size_t>(plan_.groups()), delay_, INT_MAX);
  const auto bits = solid_bits(*problem_, whole_grid(grid()), layout_);
  auto requests = sums_->buffers();
  for (auto& populations : grids_) requests.push_back({&populations, grid_values(layout_) * sizeof(float)});
  requests.push_back({&solid_bits_, bits.size() * sizeof(cl_uint), bits.data()});
  requests.push_back({&mailbox_, plan_.mailbox_words(grid()) * sizeof(cl_uint)});
  requests.push_back({&failures_, sizeof(cl_int)});
  session_->allocate(requests);
}

void Bricks::set_up_kernels() {
  const auto relaxation = make_relaxation<float, D3Q19>(grid());
  for (std::size_t i = 0; i < 2; ++i)  // what changes from launch to launch comes first, see enqueue
    steps_[i] = call_of(program_, "brick_steps", 0, 0, 0, grids_[i], grids_[1 - i], solid_bits_,
                        sums_->partial_sums(), relaxation, mailbox_, failures_);
  accelerate_start_ = call_of(program_, "accelerate_start", 0, solid_bits_, layout_, relaxation, grids_[0]);
  sums_->set_up(program_, device_);
}

/// The start state, with the body force of the first step; the grids are all zeros, the state at rest.
void Bricks::start() {
  state_ = 0;
  if (!starts_at_rest(grid()))
    write_start<float>(session_->queue(), grids_[0], layout_, *problem_, whole_grid(grid()));
  if (grid().driven_row() < 0) return;
  set_arguments(accelerate_start_, grid().driven_row());
  session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange,
                                         cl::NDRange(layout_.vectors, layout_.nz));
}

void Bricks::enqueue(int steps, int driven_steps, int first_sum) {
  session_->zero(mailbox_, plan_.mailbox_words(grid()) * sizeof(cl_uint));
  cl::Kernel& kernel = steps_[state_];
  set_arguments(kernel, first_sum, steps, driven_steps);
  const auto items = static_cast<std::size_t>(plan_.items);
  session_->queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(plan_.groups() * items),
                                         cl::NDRange(items));
  state_ = 1 - state_;
  steps_per_launch_ = std::max(steps_per_launch_, steps);
}

void Bricks::run(int steps, std::span<double> av_vels) {
  constexpr int most_pending = 4096;
  attempt("run the time steps", [&] {
    sums_->run(
        session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
        [&](int step, int count, int first_sum) {
          const int not_driven = grid().driven_row() < 0 ? count : step + count == steps ? 1 : 0;
          enqueue(count, count - not_driven, first_sum);
        },
        av_vels);
  });
  expect_no_failures();
}

/// Throws Error (unavailable) when a wait has run out.
void Bricks::expect_no_failures() {
  cl_int failures = 0;
  attempt("read whether all waits ended",
          [&] { session_->queue().enqueueReadBuffer(failures_, CL_TRUE, 0, sizeof failures, &failures); });
  if (failures)
    throw unavailable(
        "persistent: a work-group timed out waiting for another one on {}: not all {} of them were resident at once, or the "
        "run is unstable; take another variant",
        device_.name, plan_.groups());
}

void Bricks::collect(State& state) {
  attempt("read the final state", [&] {
    read_rows<float, D3Q19>(session_->queue(), grids_[state_], layout_, grid().density, fields_of(state));
  });
}

RunFacts Bricks::facts() const {
  RunFacts facts = session_->facts({{"work_group", fmt::format("{}x1", plan_.items)},
                                    {"groups", plan_.groups()},
                                    {"pieces", plan_.pieces()},
                                    {"delay", delay_text(delay_)},
                                    {"memory_bytes_per_update", 0.0}});
  facts.bytes_per_update = 2.0 * D3Q19::directions * sizeof(float);
  facts.flops_per_update = counted_cell_flops<D3Q19>();
  facts.steps_per_launch = steps_per_launch_;
  return facts;
}

}  // namespace

std::unique_ptr<Solver> make_bricks(const ComputeDevice& device, const LbmOptions& options) {
  return std::make_unique<Bricks>(device, options);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
