// The published ladder: the steps by which the method came to a GPU, each on top of the one before (Rutterford, "OpenCL
// Parallelism", University of Bristol, Table II). They show the gain of each step, so they follow the publication
// exactly; the physics is that of common/lbm/cell.h.
#include <fmt/core.h>

#include <array>
#include <climits>
#include <optional>

#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/strip.hpp"

namespace boltzmark::lbm {
extern const std::string_view ladder_functions_source, ladder_fusion_source;
}

namespace boltzmark::opencl {

using namespace device;
using namespace lbm;
namespace {

/// The steps in order; each includes the ones before.
enum Step {
  initial,
  data_movement,    ///< grids are copied to the device once, not every step and back
  local_reduction,  ///< sums in local memory
  coalesced,        ///< structure of arrays, not array of structures
  fused,            ///< propagate, rebound, collision and av_velocity are one kernel
  masked,           ///< solid cells are masks, not branches
  further,          ///< one clFinish, the body force fused too, fluid cells counted by the host
};

struct LadderStep {
  const char *name, *summary;
};
constexpr LadderStep ladder_table[] = {
    {"initial",
     "published step 1: a kernel per function, array of structures, both grids copied every step, sums by one "
     "work-item per group"},
    {"data-movement", "published step 2: grids copied once before and once after the loop"},
    {"local-reduction", "published step 3: binary-tree reduction in local memory"},
    {"coalesced", "published step 4: structure of arrays"},
    {"fused", "published step 5, kernel fusion: all but the body force in one kernel, grids swapped"},
    {"masked", "published step 6, masking: masks instead of branches"},
    {"further", "published step 7, further: one clFinish, body force fused, cells counted once by the host"},
};

class Ladder final : public GridRun {
 public:
  Ladder(Step rung, const ComputeDevice& device, const LbmOptions& options) : GridRun(device, options), rung_(rung) {
    if (options_.work_group) check_work_group(device_, *options_.work_group, local_bytes());
    check_reduction(device_, reduction_);
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    nx_ = grid().nx;
    ny_ = grid().ny;
    group_ = options_.work_group.value_or(cell_work_group(device_, nx_, ny_, local_bytes()));
    const std::size_t groups = groups_in(global(), group_);
    const auto mask = problem.solid_mask();
    const std::vector<std::int32_t> solid(mask.begin(), mask.end());
    std::optional<StepSums> sums;
    std::vector<BufferRequest> buffers;
    if (rung_ == further) {
      sums.emplace(options_.precision, groups, options_.delay);
    } else {
      host_cells_.resize(groups);
      buffers = {{&partial_sums_, groups * value_bytes()}, {&partial_cells_, groups * sizeof(std::int32_t)}};
    }
    for (auto& grid : grids_) buffers.push_back({&grid, grid_bytes()});
    buffers.push_back({&solid_bits_, solid.size() * sizeof solid[0], solid.data()});
    if (rung_ < local_reduction) buffers.push_back({&speeds_, solid.size() * value_bytes()});
    prepare(rung_ >= fused ? ladder_fusion_source : ladder_functions_source, shape(), std::move(sums), buffers);
  }

  void run(int steps, std::span<double> av_vels) override {
    if (rung_ == further)
      run_steps(
          steps, [&](int step, int count, int first_sum) { enqueue(count, first_sum, step + 1 == steps); }, av_vels,
          INT_MAX);
    else
      attempt("run the time steps", [&] {
        for (int step = 0; step < steps; ++step) av_vels[step] = time_step();
      });
  }

  void collect(State& state) override {
    HostValues& values = host_grids_[0];
    attempt("read the final state", [&] {
      if (rung_ == initial) return;  // on the host
      session_->queue()->read(grids_[rung_ >= fused ? steps_done_ % 2 : 0], 0, values.bytes(), values.data());
    });
    const auto cells = static_cast<std::size_t>(problem_->cells());
    collect_rows(grid(), ny_, fields_of(state), [&](int i, int x, int y) {
      const std::size_t cell = static_cast<std::size_t>(y) * nx_ + x;
      return rung_ >= coalesced ? values[i * cells + cell] : values[cell * D2Q9::directions + i];
    });
  }

 private:
  /// A kernel with its arguments and sizes.
  struct Call {
    Kernel kernel;
    Range global, local;
  };

  /// Local memory per work-item: the sums of |u| and of fluid cells have one value each.
  std::size_t local_bytes() const { return 2 * value_bytes(); }
  std::size_t grid_bytes() const {
    return static_cast<std::size_t>(problem_->cells()) * D2Q9::directions * value_bytes();
  }
  Range global() const {
    const int first = options_.transposed ? ny_ : nx_, second = options_.transposed ? nx_ : ny_;
    return Range(round_up(first, group_.x), round_up(second, group_.y));
  }

  KernelShape shape() const {
    std::string defines;
    if (rung_ >= coalesced) defines += " -D COALESCED";
    if (rung_ >= masked) defines += " -D MASKED";
    if (options_.transposed) defines += " -D TRANSPOSED";
    if (rung_ >= local_reduction) defines += " -D LOCAL_REDUCTION";
    return {.group = group_, .reduction = reduction_, .defines = defines};
  }

  /// A kernel with one work-item per cell.
  template <class... Arguments>
  Call cells_call(const char* kernel, const Arguments&... arguments) const {
    return {Kernel(module_, kernel, arguments...), global(), Range(group_.x, group_.y)};
  }

  /// Kernels of a step, in order; entry 1 is for every second step.
  void make_kernels() override {
    const Value c = relaxation_value(grid(), options_);
    const Local scratch{local_bytes() * static_cast<std::size_t>(group_.x * group_.y)};
    for (int i = 0; i < 2; ++i) {
      const Buffer &source = grids_[rung_ >= fused ? i : 0], &target = grids_[rung_ >= fused ? 1 - i : 1];
      auto& calls = calls_[i];
      calls = {{Kernel(module_, "accelerate_flow", source, solid_bits_, nx_, ny_, c), Range(nx_), {}}};
      if (rung_ == further) {
        calls.push_back(cells_call("further_step", 0, -1, solid_bits_, nx_, ny_, c, sums_->partial_sums(), scratch,
                                   source, target));
      } else if (rung_ >= fused) {
        calls.push_back(
            cells_call("timestep", solid_bits_, nx_, ny_, c, partial_sums_, partial_cells_, scratch, source, target));
      } else {
        calls.push_back(cells_call("propagate", source, target, nx_, ny_));
        calls.push_back(cells_call("rebound", source, target, solid_bits_, nx_, ny_));
        calls.push_back(cells_call("collision", source, target, solid_bits_, nx_, ny_, c));
        calls.push_back(cells_call("av_velocity", source, solid_bits_, nx_, ny_, c, partial_sums_, partial_cells_,
                                   scratch, speeds_));
      }
    }
  }

  void launch_first() override {
    for (const auto& calls : calls_)
      for (const Call& call : calls) launch(call);
  }

  /// The state at rest is all zeros; if the body force is fused, that of the first step is added.
  void start() override {
    steps_done_ = 0;
    for (const auto& grid : grids_) session_->zero(grid, grid_bytes());
    if (rung_ == further) launch(calls_[0][0]);
    for (auto& copy : host_grids_) copy = HostValues(storage_of(options_), grid_bytes() / value_bytes());
  }

  void launch(const Call& call) const { session_->queue()->launch(call.kernel, call.global, call.local); }

  /// The step `further`: without waits.
  void enqueue(int, int first_sum, bool is_end) override {
    const Call& call = calls_[steps_done_++ % 2][1];
    call.kernel.rebind(first_sum, is_end ? -1 : grid().driven_row());
    launch(call);
  }

  /// Any other step, with a clFinish after every call; returns the average velocity.
  double time_step() {
    const Queue& queue = session_->queue();
    const auto copy_grids = [&](const auto& copy) {
      if (rung_ >= data_movement) return;
      for (int i = 0; i < 2; ++i) {
        copy(grids_[i], host_grids_[i]);
        queue->finish();
      }
    };
    copy_grids([&](const Buffer& grid, HostValues& host) { queue->start_write(grid, {0, host.bytes()}, host.data()); });
    for (const Call& call : calls_[steps_done_++ % 2]) {
      launch(call);
      queue->finish();
    }
    copy_grids([&](const Buffer& grid, HostValues& host) { queue->start_read(grid, {0, host.bytes()}, host.data()); });
    return average_velocity();
  }

  /// The end of the reduction: the host adds up the work-groups.
  double average_velocity() {
    const Queue& queue = session_->queue();
    HostValues sums(storage_of(options_), host_cells_.size());
    queue->start_read(partial_sums_, {0, sums.bytes()}, sums.data());
    queue->finish();
    queue->start_read(partial_cells_, {0, host_cells_.size() * sizeof host_cells_[0]}, host_cells_.data());
    queue->finish();
    double sum = 0.0;
    std::int64_t cells = 0;
    for (std::size_t group = 0; group < host_cells_.size(); ++group) {
      sum += sums[group];
      cells += host_cells_[group];
    }
    return sum / static_cast<double>(cells);
  }

  void add_facts(RunFacts& facts) const override {
    facts.settings["work_group"] = fmt::format("{}x{}", group_.x, group_.y);
    facts.settings["reduction"] = rung_ >= local_reduction ? to_string(reduction_) : "linear in global memory";
    if (options_.transposed) facts.settings["transposed"] = true;
    const GridBytes grid = grid_bytes_of_all();
    if (rung_ < fused) facts.traffic = textbook_traffic(grid, is_cpu());
    if (rung_ == initial) facts.traffic.front().per_update += 4.0 * grid.of_cell;  // both grids, there and back
  }

  Step rung_;
  Reduction reduction_ = options_.reduction.value_or(Reduction::tree);
  std::int32_t nx_ = 0, ny_ = 0;
  WorkGroup group_;
  std::array<std::vector<Call>, 2> calls_;
  Buffer partial_sums_, partial_cells_, speeds_;
  std::array<HostValues, 2> host_grids_;
  std::vector<std::int32_t> host_cells_;
  int steps_done_ = 0;
};

}  // namespace

Variants ladder() {
  Variants variants;
  for (const auto& [name, summary] : ladder_table) {
    const auto rung = static_cast<Step>(variants.size());
    Variant variant = {.name = name, .summary = summary, .options = {work_group_option()}};
    if (rung >= local_reduction) {
      variant.options.push_back(reduction_option());
      variant.options.push_back({.name = "transposed",
                                 .value = "",
                                 .help = "map the first index of work-items across the rows, to show the cost of "
                                         "uncoalesced access"});
    }
    if (rung == further) variant.options.push_back(delay_option());
    variant.make = [rung](const Problem&, const Options& asked) {
      return std::make_unique<Ladder>(rung, device_for(asked), read_options(asked, 2));
    };
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace boltzmark::opencl
