// Fused over threads: the grid's rows are dealt to the threads in blocks, one barrier a step.
//
//   thread 0   rows 0 .. a-1    reads its rows and one row beside them in grid A, writes its rows in grid B
//   thread 1   rows a .. b-1    the same
//   ...                         barrier; grids change roles
//
// Each thread sets the start state of its own rows, so that on a machine of several NUMA nodes they lie in
// its memory.
#include <fmt/format.h>
#include <omp.h>

#include "common/counting.hpp"
#include "common/error.hpp"
#include "common/provenance.hpp"
#include "common/strip.hpp"
#include "openmp/models.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Fused : public Model {
 public:
  explicit Fused(std::optional<int> threads)
      : asked_(threads.has_value()), threads_(threads.value_or(omp_get_max_threads())) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.ny, false);
    int given = 0;
#pragma omp parallel num_threads(threads_)
    {
#pragma omp single
      given = omp_get_num_threads();
      const auto [begin, end] = my_rows();
      strip_->init_rows(begin, end);
    }
    if (asked_ && given != threads_)
      throw unavailable(
          "--threads: expected {} threads, found that the OpenMP runtime gives {} (OMP_THREAD_LIMIT?)",
          threads_, given);
    threads_ = given;
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start();
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(threads_));
#pragma omp parallel num_threads(threads_)
    {
      const auto [begin, end] = my_rows();
      std::vector<double>& mine = sums[omp_get_thread_num()];
      mine.resize(static_cast<std::size_t>(steps));  // by its own thread, so that no two share a cache line
      for (int step = 0; step < steps; ++step) {
        mine[step] = strip_->update_rows(begin, end, step, step == steps - 1);
#pragma omp barrier
      }
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
  /// The calling thread's block of rows, empty when there are more threads than rows.
  std::pair<int, int> my_rows() const {
    const std::int64_t rows = strip_->rows(), thread = omp_get_thread_num(), threads = omp_get_num_threads();
    return {static_cast<int>(rows * thread / threads), static_cast<int>(rows * (thread + 1) / threads)};
  }

  bool asked_;
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
