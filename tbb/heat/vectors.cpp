// Vectors: a parallel_for over the slots of the arena for each step. The static_partitioner gives a slot the same rows
// in every step; they are updated in vectors, and the two grids are exchanged.
//
//     parallel_for  slot   my rows: next = 0.2 (...);   sums[slot][step] = sum of |next - centre|
#include "common/cpu/worker_sums.hpp"
#include "common/heat/grid_solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

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

}  // namespace

extern const heat::Variant vectors = vectors_of<Vectors>(
    "vectors", "a parallel_for over slots per step, the same rows for each slot, in vectors", start_workers);

}  // namespace boltzmark::onetbb
