// Vectors: a parallel_for over the slots of the arena for each step. The static_partitioner gives a slot the same rows in
// every step; they are updated in vectors, and the two grids change places.
//
//     parallel_for  slot   my rows: next = 0.2 (...);   sums[slot][step] = sum of |next - centre|
#include "common/cpu/worker_sums.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

template <class T, int lanes>
class Vectors : public OnArena<HostSolver<T>> {
 public:
  using OnArena<HostSolver<T>>::OnArena;

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size()), slots = this->workers();
    WorkerSums sums(slots);
    std::vector<double*> of_slot;
    for (int slot = 0; slot < slots; ++slot) of_slot.push_back(sums.start(slot, steps));
    this->arena_.execute([&] {
      for (int step = 0; step < steps; ++step)
        tbb::parallel_for(
            0, slots,
            [&](int me) {
              const Range rows = part_of(this->plate_.height, me, slots);
              of_slot[static_cast<std::size_t>(me)][step] = update_rows<T, lanes>(
                  this->grids_, this->now_ + step, rows.begin, rows.end, this->plate_.width, this->past_caches_);
            },
            tbb::static_partitioner());
    });
    sums.add_up(1.0, deltas);
    this->now_ = (this->now_ + steps) % 2;
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }
};

}  // namespace

extern const heat::Variant vectors =
    like_for_like_of<Solver, Vectors>("vectors", "a parallel_for over slots a step, each the same rows, in vectors");

}  // namespace boltzmark::onetbb
