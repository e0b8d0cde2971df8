// heat-tbb: the heat equation in oneTBB.
#include "common/cpu/worker_sums.hpp"
#include "common/heat/cpu/split_tiles.hpp"
#include "common/heat/grid_solver.hpp"
#include "common/heat/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
extern const heat::Variant textbook;
namespace {
using namespace heat;

// Vectors: a parallel_for over the slots of the arena for each step. The static_partitioner gives a slot the same rows
// in every step; they are updated in vectors, and the two grids are exchanged.
//
//     parallel_for  slot   my rows: next = 0.2 (...);   sums[slot][step] = sum of |next - centre|
template <class T, int lanes>
struct Vectors {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers& workers) {
    const int steps = static_cast<int>(deltas.size()), slots = workers.count;
    WorkerSums sums(slots);
    std::vector<double*> of_slot;
    for (int slot = 0; slot < slots; ++slot) of_slot.push_back(sums.start(slot, steps));
    arena().execute([&] {
      for (int step = 0; step < steps; ++step)
        tbb::parallel_for(
            0, slots,
            [&](int me) {
              const Range rows = part_of(at.plate.height, me, slots);
              of_slot[static_cast<std::size_t>(me)][step] =
                  update_rows<T, lanes>(at.grids, at.now + step, rows.begin, rows.end, at.plate.width, at.past_caches);
            },
            tbb::static_partitioner());
    });
    sums.add_up(1.0, deltas);
    at.now = (at.now + steps) % 2;
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};

const heat::Variant vectors = vectors_of<Vectors>(
    "vectors", "a parallel_for over slots per step, the same rows for each slot, in vectors", start_workers);
// Split tiling: several steps in one sweep over tiles of rows. All sweeps are one parallel_for over the slots of the
// arena (common/cpu/split_tiling.hpp), of which none waits for another.
//
//     parallel_for  slot   its tiles' steps, of each step a row less at either end, and the rows that are left between
//                          two tiles; each as soon as the neighbours' rows are there
const heat::Variant split_tiling = heat::split_tiling_of(
    "several steps in one sweep over tiles of rows, all sweeps in one parallel_for, each slot the same rows",
    start_workers);

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, heat::workload, {&textbook, &vectors, &split_tiling}, "split-tiling");
}
