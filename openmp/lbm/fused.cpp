// Fused over threads: the grid's rows (in three dimensions its planes) are divided over the threads in blocks.
//
//   thread 0   rows 0 .. a-1    reads its rows and one on either side in grid A, writes its rows in grid B
//   thread 1   rows a .. b-1    the same
//   ...                         then grids change roles
//
// No barrier: a thread begins a step as soon as both its neighbours have finished the one before. Then the
// rows it reads are there, and no neighbour still reads those it overwrites. Each thread sets the start
// state of its own rows, so that they are in the memory of its NUMA node.
#include <algorithm>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class T, class L>
class Fused : public StripSolver<T, L, OnThreads<OnHost<Solver>>> {
 public:
  using Fused::StripSolver::StripSolver;

  void run(int steps, std::span<double> av_vels) override {
    const int workers = std::min(threads_, strip_->layers());  // the threads that have layers
    WorkerSums sums(workers);
    std::vector<Progress> progress(static_cast<std::size_t>(workers));
#pragma omp parallel num_threads(threads_)
    if (const int me = number_in_team_of(threads_); me < workers) {
      const auto [begin, end] = layers_of(me);
      const Progress &south = progress[(me + workers - 1) % workers], &north = progress[(me + 1) % workers];
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        south.wait_for(step);
        north.wait_for(step);
        mine[step] = strip_->update_layers(begin, end, step, step == steps - 1);
        progress[me].reach(step + 1);
      }
    }
    sums.add_up(1.0 / this->fluid_cells_, av_vels);
    this->steps_ = steps;
  }

 private:
  /// A thread's block of layers; empty from thread number `layers` on.
  std::pair<int, int> layers_of(int thread) const {
    const std::int64_t rows = strip_->layers(), workers = std::min<std::int64_t>(threads_, rows);
    const std::int64_t me = std::min<std::int64_t>(thread, workers), next = std::min(me + 1, workers);
    return {static_cast<int>(rows * me / workers), static_cast<int>(rows * next / workers)};
  }

  using Fused::StripSolver::strip_, Fused::StripSolver::threads_;
};

}  // namespace

extern const lbm::Variant fused = stored_like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one vectorised pass per step, rows divided over threads");

}  // namespace boltzmark::openmp
