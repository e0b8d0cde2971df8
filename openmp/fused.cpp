// Fused over threads: the grid's rows are dealt to the threads in blocks.
//
//   thread 0   rows 0 .. a-1    reads its rows and one row beside them in grid A, writes its rows in grid B
//   thread 1   rows a .. b-1    the same
//   ...                         then grids change roles
//
// No barrier: a thread begins a step as soon as both its neighbours have finished the one before. Then the
// rows it reads are there, and nobody still reads those it is going to overwrite. Each thread sets the start
// state of its own rows, so that on a machine of several NUMA nodes they lie in its memory.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "common/counting.hpp"
#include "common/progress.hpp"
#include "common/provenance.hpp"
#include "common/strip.hpp"
#include "openmp/models.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Fused : public Model {
 public:
  explicit Fused(std::optional<int> threads) : threads_(start_threads(threads)) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.ny, false);
#pragma omp parallel num_threads(threads_)
    {
      const auto [begin, end] = my_rows();
      strip_->init_rows(begin, end);
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start();
    const int workers = std::min(threads_, strip_->rows());  // a thread without rows is nobody's neighbour
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(workers));
    std::vector<Progress> progress(static_cast<std::size_t>(workers));
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
      if (me < workers) {
        const auto [begin, end] = my_rows();
        const Progress &south = progress[(me + workers - 1) % workers], &north = progress[(me + 1) % workers];
        std::vector<double>& mine = sums[me];
        mine.resize(static_cast<std::size_t>(steps));  // by its own thread, so that no two share a cache line
        for (int step = 0; step < steps; ++step) {
          south.wait_for(step);
          north.wait_for(step);
          mine[step] = strip_->update_rows(begin, end, step, step == steps - 1);
          progress[me].reach(step + 1);
        }
      }
#pragma omp barrier
#pragma omp for
      for (int step = 0; step < steps; ++step) {
        double sum = 0.0;  // in the order of the threads: the same result every time
        for (const auto& one : sums) sum += one[step];
        av_vels[step] = sum / fluid_cells_;
      }
    }
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, state.ux, state.uy, state.density); }

  RunFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = fmt::format("OpenMP {}", _OPENMP),
            .threads = threads_,
            .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
            .flops_per_update = counted_cell_flops(),
            .extra = {{"vector_lanes", Strip<T>::lanes}}};
  }

 private:
  /// The calling thread's block of rows; empty from thread number `rows` on.
  std::pair<int, int> my_rows() const {
    const std::int64_t rows = strip_->rows(), workers = std::min<std::int64_t>(omp_get_num_threads(), rows);
    const std::int64_t me = std::min<std::int64_t>(omp_get_thread_num(), workers),
                       next = std::min(me + 1, workers);
    return {static_cast<int>(rows * me / workers), static_cast<int>(rows * next / workers)};
  }

  int threads_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Strip<T>> strip_;
};

}  // namespace

std::unique_ptr<Model> make_fused(Precision precision, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>(threads);
  return std::make_unique<Fused<float>>(threads);
}

}  // namespace boltzmark::openmp
