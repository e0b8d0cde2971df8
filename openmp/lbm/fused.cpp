// Fused over threads: the grid's rows (in three dimensions its planes) are divided over the threads in blocks.
//
//   thread 0   rows 0 .. a-1    reads its rows and one on either side in grid A, writes its rows in grid B
//   thread 1   rows a .. b-1    the same
//   ...                         then grids change roles
//
// No barrier: a thread begins a step as soon as both its neighbours have finished the previous one. Then the rows that
// it reads are complete, and no neighbour still reads those that it overwrites. Each thread sets the start state of its
// own rows, so that they are in the memory of its NUMA node.
#include <algorithm>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

struct Fused {
  template <class T, class L>
  static void run(Strip<T, L>& strip, std::span<double> speeds, const Workers& team) {
    const int steps = static_cast<int>(speeds.size()), threads = team.count;
    const int workers = std::min(threads, strip.layers());  // the threads that have layers
    WorkerSums sums(workers);
    std::vector<Progress> progress(static_cast<std::size_t>(workers));
#pragma omp parallel num_threads(threads)
    if (const int me = number_in_team_of(threads); me < workers) {
      const Range layers = part_of(strip.layers(), me, workers);
      const Progress &south = progress[(me + workers - 1) % workers], &north = progress[(me + 1) % workers];
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        south.wait_for(step);
        north.wait_for(step);
        mine[step] = strip.update_layers(int(layers.begin), int(layers.end), step, step == steps - 1);
        progress[me].reach(step + 1);
      }
    }
    sums.add_up(1.0, speeds);
  }
};

}  // namespace

extern const lbm::Variant fused = fused_of<Fused>(
    "structure of arrays, two grids, one vectorised pass per step, rows divided over threads", start_workers);

}  // namespace boltzmark::openmp
