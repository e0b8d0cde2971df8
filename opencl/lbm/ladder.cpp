// The published ladder: the steps by which the method came to a GPU, each on top of the one before
// (Rutterford, "OpenCL Parallelism", University of Bristol, Table II). They show what each step is worth, so
// they do exactly what it says; the physics is that of common/lbm/cell.h.
#include <fmt/core.h>

#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/session.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

/// What a step of the ladder does; each has what the one before has.
struct LadderStep {
  const char* name;
  const char* summary;
  bool copies_grids_every_step = false;  ///< both grids to the device and back
  bool reduces_in_local_memory = true;
  bool is_coalesced = true;  ///< structure of arrays, not array of structures
  bool is_fused = true;      ///< propagate, rebound, collision and av_velocity are one kernel
  bool is_masked = true;     ///< solid cells are masks, not branches
  bool waits_once = false;   ///< one clFinish, the body force fused too, fluid cells counted by the host
};

constexpr std::array ladder_table = {
    LadderStep{.name = "initial",
               .summary =
                   "published step 1: a kernel per function, array of structures, both grids copied every "
                   "step, one work-item per group adds up",
               .copies_grids_every_step = true,
               .reduces_in_local_memory = false,
               .is_coalesced = false,
               .is_fused = false,
               .is_masked = false},
    LadderStep{.name = "data-movement",
               .summary = "published step 2: grids copied once before and once after the loop",
               .reduces_in_local_memory = false,
               .is_coalesced = false,
               .is_fused = false,
               .is_masked = false},
    LadderStep{.name = "local-reduction",
               .summary = "published step 3: binary-tree reduction in local memory",
               .is_coalesced = false,
               .is_fused = false,
               .is_masked = false},
    LadderStep{.name = "coalesced",
               .summary = "published step 4: structure of arrays",
               .is_fused = false,
               .is_masked = false},
    LadderStep{
        .name = "fused",
        .summary = "published step 5, kernel fusion: all but the body force in one kernel, grids swapped",
        .is_masked = false},
    LadderStep{.name = "masked", .summary = "published step 6, masking: masks instead of branches"},
    LadderStep{
        .name = "further",
        .summary =
            "published step 7, further: one clFinish, body force fused, cells counted once by the host",
        .waits_once = true},
};

template <class T>
class Ladder final : public Solver {
 public:
  Ladder(const LadderStep& step, const ComputeDevice& device, const LbmOptions& options)
      : is_(step), device_(device), options_(options) {
    if (options_.work_group) check_work_group(device_, *options_.work_group, local_bytes);
    check_reduction(device_, reduction_);
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    nx_ = problem.parameters.nx;
    ny_ = problem.parameters.ny;
    group_ = options_.work_group.value_or(cell_work_group(device_, nx_, ny_, local_bytes));
    session_.emplace(device_, options_);
    program_ = session_->build(is_.is_fused ? ladder_fusion_source : ladder_functions_source, shape());
    allocate();
    attempt("set up the kernels", [&] { set_up_kernels(); });
    session_->first_launches(group_, [&] {
      for (const auto& calls : calls_)
        for (const Call& call : calls) enqueue(call);
      if (is_.waits_once) step_sums_->enqueue_sums(session_->queue(), 0, 1);
    });
    session_->upload([&] { start(); });
  }

  void run(int steps, std::span<double> av_vels) override {
    attempt("run the time steps", [&] {
      if (is_.waits_once)
        step_sums_->run(
            session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), INT_MAX,
            [&](int step, int, int first_sum) { enqueue_further(step, first_sum, step + 1 < steps); },
            av_vels);
      else
        for (int step = 0; step < steps; ++step) av_vels[step] = time_step(step);
    });
    steps_done_ = steps;
  }

  void collect(State& state) override {
    std::vector<T>& values = host_grids_[0];
    attempt("read the final state", [&] {
      if (is_.copies_grids_every_step) return;  // they are here
      values.resize(grid_values());
      const int last = is_.is_fused ? steps_done_ % 2 : 0;
      session_->queue().enqueueReadBuffer(grids_[last], CL_TRUE, 0, values.size() * sizeof(T), values.data());
    });
    const auto cells = static_cast<std::size_t>(problem_->cells());
    collect_fields(nx_, ny_, problem_->parameters.density, fields_of(state), [&](int i, int x, int y) {
      const std::size_t cell = static_cast<std::size_t>(y) * nx_ + x;
      return is_.is_coalesced ? values[i * cells + cell] : values[cell * Lattice::directions + i];
    });
  }

  RunFacts facts() const override {
    Settings settings = {{"work_group", fmt::format("{}x{}", group_.x, group_.y)}};
    settings["reduction"] = is_.reduces_in_local_memory ? to_string(reduction_) : "linear in global memory";
    if (options_.transposed) settings["transposed"] = true;
    if (is_.waits_once) settings["delay"] = delay_text(delay_);
    // Propagation and collision each read and write every population, and the average velocity reads them
    // again.
    if (!is_.is_fused) settings["memory_bytes_per_update"] = 5 * Lattice::directions * sizeof(T);
    RunFacts facts = session_->facts(settings);
    facts.bytes_per_update = 2 * Lattice::directions * sizeof(T);
    facts.flops_per_update = counted_cell_flops();
    return facts;
  }

 private:
  /// Local memory a work-item: the sums of |u| and of fluid cells have one value each.
  static constexpr std::size_t local_bytes = 2 * sizeof(T);

  /// A kernel with its arguments and sizes.
  struct Call {
    cl::Kernel kernel;
    cl::NDRange global, local;
  };

  std::size_t grid_values() const {
    return static_cast<std::size_t>(problem_->cells()) * Lattice::directions;
  }
  cl::NDRange global() const {
    const int first = options_.transposed ? ny_ : nx_, second = options_.transposed ? nx_ : ny_;
    return cl::NDRange(round_up(first, group_.x), round_up(second, group_.y));
  }

  KernelShape shape() const {
    std::string defines;
    if (is_.is_coalesced) defines += " -D COALESCED";
    if (is_.is_masked) defines += " -D MASKED";
    if (options_.transposed) defines += " -D TRANSPOSED";
    if (is_.reduces_in_local_memory) defines += " -D LOCAL_REDUCTION";
    return {.group = group_, .reduction = reduction_, .defines = defines};
  }

  void allocate() {
    const std::size_t groups = groups_in(global(), group_);
    const auto mask = problem_->solid_mask();
    const std::vector<cl_int> solid(mask.begin(), mask.end());
    std::vector<BufferRequest> requests;
    if (is_.waits_once) {
      step_sums_.emplace(groups, delay_);
      requests = step_sums_->buffers();
    } else {
      host_sums_.resize(groups);
      host_cells_.resize(groups);
      requests = {{&partial_sums_, groups * sizeof(T)}, {&partial_cells_, groups * sizeof(cl_int)}};
    }
    for (auto& grid : grids_) requests.push_back({&grid, grid_values() * sizeof(T)});
    requests.push_back({&solid_, solid.size() * sizeof(cl_int), solid.data()});
    if (!is_.reduces_in_local_memory) requests.push_back({&speeds_, solid.size() * sizeof(T)});
    session_->allocate(requests);
  }

  /// A kernel with one work-item per cell.
  template <class... Arguments>
  Call cells_call(const char* kernel, const Arguments&... arguments) const {
    return {call_of(program_, kernel, arguments...), global(), cl::NDRange(group_.x, group_.y)};
  }

  /// What a step calls, in order; entry 1 is for every second step.
  void set_up_kernels() {
    const Relaxation<T> c = make_relaxation<T>(problem_->parameters);
    const auto scratch = cl::Local(local_bytes * group_.x * group_.y);
    for (int i = 0; i < 2; ++i) {
      const cl::Buffer &source = grids_[is_.is_fused ? i : 0], &target = grids_[is_.is_fused ? 1 - i : 1];
      auto& calls = calls_[i];
      calls = {{call_of(program_, "accelerate_flow", source, solid_, nx_, ny_, c), cl::NDRange(nx_),
                cl::NullRange}};
      if (is_.waits_once) {
        calls.push_back(cells_call("further_step", 0, -1, solid_, nx_, ny_, c, step_sums_->partial_sums(),
                                   scratch, source, target));
      } else if (is_.is_fused) {
        calls.push_back(cells_call("timestep", solid_, nx_, ny_, c, partial_sums_, partial_cells_, scratch,
                                   source, target));
      } else {
        calls.push_back(cells_call("propagate", source, target, nx_, ny_));
        calls.push_back(cells_call("rebound", source, target, solid_, nx_, ny_));
        calls.push_back(cells_call("collision", source, target, solid_, nx_, ny_, c));
        calls.push_back(cells_call("av_velocity", source, solid_, nx_, ny_, c, partial_sums_, partial_cells_,
                                   scratch, speeds_));
      }
    }
    if (is_.waits_once) step_sums_->set_up(program_, device_);
  }

  /// The state at rest is all zeros. Where the body force is fused, that of the first step is part of the
  /// start.
  void start() {
    for (const auto& grid : grids_) session_->zero(grid, grid_values() * sizeof(T));
    if (is_.waits_once) enqueue(calls_[0][0]);
    if (is_.copies_grids_every_step)
      for (auto& copy : host_grids_) copy.assign(grid_values(), T(0));
  }

  void enqueue(const Call& call) {
    session_->queue().enqueueNDRangeKernel(call.kernel, cl::NullRange, call.global, call.local);
  }

  /// The step `further`: nothing is waited for.
  void enqueue_further(int step, int first_sum, bool another_follows) {
    Call& call = calls_[step % 2][1];
    set_arguments(call.kernel, first_sum, another_follows ? problem_->parameters.driven_row() : -1);
    enqueue(call);
  }

  /// Any other step, with a clFinish after every call; gives the average velocity.
  double time_step(int step) {
    cl::CommandQueue& queue = session_->queue();
    const std::size_t bytes = grid_values() * sizeof(T);
    if (is_.copies_grids_every_step)
      for (int i = 0; i < 2; ++i) {
        queue.enqueueWriteBuffer(grids_[i], CL_FALSE, 0, bytes, host_grids_[i].data());
        queue.finish();
      }
    for (const Call& call : calls_[step % 2]) {
      enqueue(call);
      queue.finish();
    }
    if (is_.copies_grids_every_step)
      for (int i = 0; i < 2; ++i) {
        queue.enqueueReadBuffer(grids_[i], CL_FALSE, 0, bytes, host_grids_[i].data());
        queue.finish();
      }
    return average_velocity();
  }

  /// The end of the reduction: the host adds up the work-groups.
  double average_velocity() {
    cl::CommandQueue& queue = session_->queue();
    queue.enqueueReadBuffer(partial_sums_, CL_FALSE, 0, host_sums_.size() * sizeof(T), host_sums_.data());
    queue.finish();
    queue.enqueueReadBuffer(partial_cells_, CL_FALSE, 0, host_cells_.size() * sizeof(cl_int),
                            host_cells_.data());
    queue.finish();
    double sum = 0.0;
    std::int64_t cells = 0;
    for (const T part : host_sums_) sum += static_cast<double>(part);
    for (const cl_int part : host_cells_) cells += part;
    return sum / static_cast<double>(cells);
  }

  const LadderStep& is_;
  ComputeDevice device_;
  LbmOptions options_;
  Reduction reduction_ = options_.reduction.value_or(Reduction::tree);
  int delay_ = options_.delay.value_or(INT_MAX);
  const Problem* problem_ = nullptr;
  cl_int nx_ = 0, ny_ = 0;
  WorkGroup group_;
  std::optional<Session> session_;
  cl::Program program_;
  std::array<std::vector<Call>, 2> calls_;
  std::array<cl::Buffer, 2>
      grids_;  ///< is_fused: a step goes from one to the other; else cells, and what has arrived
  cl::Buffer solid_, partial_sums_, partial_cells_, speeds_;
  std::optional<StepSums<T>> step_sums_;      ///< where the host waits once
  std::array<std::vector<T>, 2> host_grids_;  ///< copies, in the device's order
  std::vector<T> host_sums_;
  std::vector<cl_int> host_cells_;
  int steps_done_ = 0;
};

}  // namespace

std::vector<Variant> ladder_variants() {
  std::vector<Variant> variants;
  for (const auto& step : ladder_table) {
    std::vector<std::string> options = {"work-group"};
    if (step.reduces_in_local_memory) options.insert(options.end(), {"reduction", "transposed"});
    if (step.waits_once) options.push_back("delay");
    variants.push_back({.name = step.name, .summary = step.summary, .options = options});
  }
  variants.front().role = Role::textbook;
  return variants;
}

std::unique_ptr<Solver> make_ladder_step(const std::string& name, const ComputeDevice& device,
                                         const LbmOptions& options) {
  for (const auto& step : ladder_table) {
    if (step.name != name) continue;
    if (options.precision == Precision::f64) return std::make_unique<Ladder<double>>(step, device, options);
    return std::make_unique<Ladder<float>>(step, device, options);
  }
  return nullptr;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
