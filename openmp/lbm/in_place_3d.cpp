// In place and wavefront over threads in three dimensions. Every thread has its block of rows y of every plane, and
// all of them go through the planes together (common/lbm/cpu/plane_wavefront.hpp). Each thread sets the start state
// of its own rows, so that on a machine of several NUMA nodes they lie in its memory, as far as pages allow. With a
// depth of one step this is the in-place variant.
#include <fmt/core.h>

#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "openmp/lbm/variants.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class T>
class InPlace3d : public Solver {
 public:
  InPlace3d(const RowKernels<T, D3Q19>& kernels, std::optional<int> threads, std::optional<int> time_block)
      : kernels_(kernels), team_(threads), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const Parameters& p = problem.parameters;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_.emplace(problem, 0, p.nz, 0, kernels_);
    plan_ =
        plan_plane_wavefront(p.ny, p.nz, grid_->row_bytes(), grid_->plane_bytes(), team_.size(), time_block_);
    team_.run([this](int me) {
      if (me < plan_->workers()) grid_->init_rows(plan_->begin(me), plan_->begin(me + 1));
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const int workers = plan_->workers();  // a thread without rows has nothing to do
    PlaneRun run_planes(*plan_);
    WorkerSums sums(workers);
    team_.run([&](int me) {
      if (me >= workers) return;
      double* const mine = sums.start(me, steps);
      run_planes(me, steps, *grid_, std::span(mine, static_cast<std::size_t>(steps)));
    });
    sums.add_up(grid_->speed_unit() / fluid_cells_, av_vels);
    steps_ = steps;
  }

  void collect(State& state) override { grid_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override {
    RunFacts facts = in_place_facts(kernels_, plan_->depth());
    facts.driver = fmt::format("OpenMP {}", _OPENMP);
    facts.threads = team_.size();
    return facts;
  }

 private:
  const RowKernels<T, D3Q19>& kernels_;
  ThreadTeam team_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlacePlanes<T>> grid_;
  std::optional<PlaneWavefront> plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place_3d(Precision precision, std::optional<int> threads,
                                         std::optional<int> lanes, std::optional<int> time_block) {
  if (precision == Precision::f64)
    return std::make_unique<InPlace3d<double>>(row_kernels<double, D3Q19>(lanes), threads, time_block);
  return std::make_unique<InPlace3d<float>>(row_kernels<float, D3Q19>(lanes), threads, time_block);
}

}  // namespace boltzmark::openmp
