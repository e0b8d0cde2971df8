// The variant `published`: what kernels/published.cl says, for both lattices.
#include <fmt/core.h>

#include <array>
#include <climits>
#include <optional>
#include <vector>

#include "common/lbm/counting.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/lbm/sources.hpp"
#include "opencl/lbm/variants.hpp"
#include "opencl/lbm/walls.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/launch.hpp"
#include "opencl/runtime/step_sums.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;
namespace {

constexpr WorkGroup group = {128, 1, 1};

template <class T, class L>
class Published final : public Solver {
 public:
  Published(const ComputeDevice& device, const LbmOptions& options) : device_(device), options_(options) {
    check_work_group(device_, group, sizeof(T));
  }

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    session_.emplace(device_, options_);
    const bool is_flat = L::dimension == 2;
    program_ = session_->build(
        published_source,
        {.group = group, .reduction = Reduction::tree, .defines = is_flat ? "" : "-D LATTICE_D3Q19"});
    global_ = cl::NDRange(round_up(p.nx, group.x), p.ny, p.nz);
    sums_.emplace(groups_in(global_, group), options_.delay.value_or(INT_MAX));
    const auto mask = problem.solid_mask();
    const std::vector<cl_int> solid(mask.begin(), mask.end());
    auto requests = sums_->buffers();
    for (auto& grid : grids_) requests.push_back({&grid, values() * sizeof(T)});
    requests.push_back({&solid_, solid.size() * sizeof(cl_int), solid.data()});
    session_->allocate(requests);
    attempt("set up the kernels", [&] { set_up_kernels(); });
    session_->first_launches(group, [&] {  // at rest, which a step leaves as it is
      for (int i = 0; i < 2; ++i) enqueue(i, 0, false);
      sums_->enqueue_sums(session_->queue(), 0, 1);
    });
    session_->upload([&] { start(); });
  }

  void run(int steps, std::span<double> av_vels) override {
    constexpr int most_pending = 4096;
    const Bands all = {.south = 0, .south_rows = problem_->parameters.layers(), .north = 0, .north_rows = 0};
    attempt("run the time steps", [&] {
      sums_->run(
          session_->queue(), steps, static_cast<double>(problem_->fluid_cells()), most_pending,
          [&](int step, int, int first_sum) {
            enqueue(step % 2, first_sum, step + 1 < steps);
            walls_.enqueue(session_->queue(), 1 - step % 2, all, nullptr);
          },
          av_vels);
    });
    newest_ = steps % 2;
  }

  void collect(State& state) override {
    std::vector<T> values_read(values());
    attempt("read the final state", [&] {
      session_->queue().enqueueReadBuffer(grids_[newest_], CL_TRUE, 0, values() * sizeof(T),
                                          values_read.data());
    });
    const Parameters& p = problem_->parameters;
    collect_fields<L>(p.nx, p.ny * p.nz, p.density, fields_of(state), [&](int i, int x, int row) {
      return values_read[place(x, row % p.ny, row / p.ny, i)];
    });
  }

  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"work_group", to_string(group)},
                                      {"reduction", to_string(Reduction::tree)},
                                      {"delay", delay_text(options_.delay.value_or(INT_MAX))}});
    facts.bytes_per_update = 2.0 * L::directions * sizeof(T);
    facts.flops_per_update = counted_cell_flops<L>();
    return facts;
  }

 private:
  struct Extent {
    cl_int nx, ny, nz;
  };

  std::size_t values() const { return static_cast<std::size_t>(problem_->cells()) * L::directions; }
  std::size_t place(int x, int y, int z, int i) const {
    const Parameters& p = problem_->parameters;
    return ((static_cast<std::size_t>(i) * p.nz + z) * p.ny + y) * p.nx + x;
  }

  void set_up_kernels() {
    const Parameters& p = problem_->parameters;
    const auto c = make_relaxation<T, L>(p);
    const Extent n = {p.nx, p.ny, p.nz};
    for (int i = 0; i < 2; ++i)
      steps_[i] = call_of(program_, "published_step", 0, -1, solid_, sums_->partial_sums(),
                          cl::Local(sizeof(T) * group.x), n, c, grids_[i], grids_[1 - i]);
    accelerate_start_ = call_of(program_, "accelerate_start", p.driven_row(), solid_, n, c, grids_[0]);
    sums_->set_up(program_, device_);
  }

  /// From grid `source` to the other one.
  void enqueue(int source, int first_sum, bool another_follows) {
    set_arguments(steps_[source], first_sum, another_follows ? problem_->parameters.driven_row() : -1);
    session_->queue().enqueueNDRangeKernel(steps_[source], cl::NullRange, global_,
                                           cl::NDRange(group.x, 1, 1));
  }

  void start() {
    const Parameters& p = problem_->parameters;
    if (!starts_at_rest(p)) {
      std::vector<T> state(values());
      const auto solid = problem_->solid_mask();
      for (std::int64_t cell = 0; cell < problem_->cells(); ++cell) {
        const auto x = static_cast<int>(cell % p.nx), y = static_cast<int>(cell / p.nx % p.ny);
        const auto z = static_cast<int>(cell / p.nx / p.ny);
        const auto a = start_populations<L>(p, x, y, z, solid[static_cast<std::size_t>(cell)]);
        for (int i = 0; i < L::directions; ++i) state[place(x, y, z, i)] = static_cast<T>(a.f[i]);
      }
      session_->queue().enqueueWriteBuffer(grids_[0], CL_TRUE, 0, values() * sizeof(T), state.data());
    }
    walls_.set_up(*session_, program_, *problem_, whole_grid(problem_->parameters), 1.0, false, grids_,
                  [&](int x, int y, int z, int i) { return place(x, y, z, i); });
    if (p.driven_row() >= 0)
      session_->queue().enqueueNDRangeKernel(accelerate_start_, cl::NullRange, cl::NDRange(p.nx, p.nz));
  }

  ComputeDevice device_;
  LbmOptions options_;
  const Problem* problem_ = nullptr;
  std::optional<Session> session_;
  std::optional<StepSums<T>> sums_;
  Walls<T> walls_;
  cl::Program program_;
  cl::NDRange global_;
  std::array<cl::Kernel, 2> steps_;  ///< from one grid to the other, and back
  cl::Kernel accelerate_start_;
  std::array<cl::Buffer, 2> grids_;
  cl::Buffer solid_;
  int newest_ = 0;
};

}  // namespace

Variant published_variant() {
  return {.name = "published",
          .summary =
              "as published for D3Q19: one fused kernel, two grids, structure of arrays, one work-item per "
              "cell, work-group (128,1,1) on every device",
          .options = {"delay"},
          .kinds = {D3Q19::name}};
}

std::unique_ptr<Solver> make_published(const Problem& problem, const ComputeDevice& device,
                                       const LbmOptions& options) {
  return make_solver<Published>(problem, options.precision, device, options);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
