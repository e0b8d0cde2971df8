// In place and wavefront over threads: one grid whose rows are dealt to the threads in blocks, updated where
// it lies (common/in_place_strip.hpp).
//
//   thread 1   rows b .. c-1    step 0 of row b, b+1, ...; step 1 one row behind, step 2 two rows behind, ...
//   thread 0   rows a .. b-1    the same; the last rows of its later steps lie beside rows that thread 1 did
//                               first, so it never waits for long (common/wavefront.hpp)
//
// No barrier: a thread only waits for the progress of its two neighbours. Each sets the start state of its
// own rows, so that on a machine of several NUMA nodes they lie in its memory. With a depth of one step this
// is the in-place variant.
#include <fmt/format.h>

#include "common/counting.hpp"
#include "common/in_place_strip.hpp"
#include "common/provenance.hpp"
#include "common/wavefront.hpp"
#include "openmp/models.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class InPlace : public Model {
 public:
  InPlace(const RowKernels<T>& kernels, std::optional<int> threads, std::optional<int> time_block)
      : kernels_(kernels), threads_(start_threads(threads)), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const int rows = problem.parameters.ny;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, rows, 0, kernels_);
    plan_.emplace(rows, threads_, time_block_.value_or(default_time_block(strip_->pitch() * sizeof(T))));
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
      if (me < plan_->workers()) strip_->init_rows(plan_->begin(me), plan_->begin(me + 1));
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    const int workers = plan_->workers();  // a thread without rows is nobody's neighbour
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(workers));
    std::vector<Progress> progress(static_cast<std::size_t>(workers));
    const double unit = strip_->speed_unit() / fluid_cells_;
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
      if (me < workers) {
        std::vector<double>& mine = sums[me];
        mine.resize(static_cast<std::size_t>(steps));  // by its own thread, so that no two share a cache line
        run_wavefront(*plan_, me, steps, progress, [&, sum = mine.data()](int y, int step) {
          sum[step] += strip_->update_row(y, step, step == steps - 1);
        });
      }
#pragma omp barrier
#pragma omp for
      for (int step = 0; step < steps; ++step) {
        double sum = 0.0;  // in the order of the threads: the same result every time
        for (const auto& one : sums) sum += one[step];
        av_vels[step] = sum * unit;
      }
    }
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, state.ux, state.uy, state.density); }

  RunFacts facts() const override {
    return {
        .device = provenance_now().cpu,
        .driver = fmt::format("OpenMP {}", _OPENMP),
        .threads = threads_,
        .grids = 1,
        .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
        .flops_per_update = counted_cell_flops(),
        .extra = {
            {"vector_lanes", kernels_.lanes}, {"vectors", kernels_.name}, {"time_block", plan_->depth()}}};
  }

 private:
  const RowKernels<T>& kernels_;
  int threads_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlaceStrip<T>> strip_;
  std::optional<WavefrontPlan> plan_;
};

}  // namespace

std::unique_ptr<Model> make_in_place(Precision precision, std::optional<int> threads,
                                     std::optional<int> lanes, std::optional<int> time_block) {
  if (precision == Precision::f64)
    return std::make_unique<InPlace<double>>(row_kernels<double>(lanes), threads, time_block);
  return std::make_unique<InPlace<float>>(row_kernels<float>(lanes), threads, time_block);
}

}  // namespace boltzmark::openmp
