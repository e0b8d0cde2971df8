// In place and wavefront in three dimensions: in_place.cpp with planes for rows
// (common/lbm/cpu/in_place_planes.hpp, common/lbm/cpu/plane_wavefront.hpp).
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T>
class InPlace3d : public Solver {
 public:
  InPlace3d(const RowKernels<T, D3Q19>& kernels, std::optional<int> time_block)
      : kernels_(kernels), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const Parameters& p = problem.parameters;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_.emplace(problem, 0, p.nz, 0, kernels_);
    grid_->init_rows(0, p.ny);
    plan_ = plan_plane_wavefront(p.ny, p.nz, grid_->row_bytes(), grid_->plane_bytes(), 1, time_block_);
  }

  void run(int steps, std::span<double> av_vels) override {
    PlaneRun run_planes(*plan_);
    run_planes(0, steps, *grid_, av_vels);
    for (double& average : av_vels) average *= grid_->speed_unit() / fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { grid_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return in_place_facts(kernels_, plan_->depth()); }

 private:
  const RowKernels<T, D3Q19>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlacePlanes<T>> grid_;
  std::optional<PlaneWavefront> plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place_3d(Precision precision, std::optional<int> lanes,
                                         std::optional<int> time_block) {
  if (precision == Precision::f64)
    return std::make_unique<InPlace3d<double>>(row_kernels<double, D3Q19>(lanes), time_block);
  return std::make_unique<InPlace3d<float>>(row_kernels<float, D3Q19>(lanes), time_block);
}

}  // namespace boltzmark::serial
