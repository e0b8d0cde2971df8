// Vectors: a reduction over rows for each step. The static_partitioner gives a slot the same rows in every step; they
// are updated in vectors, and the two grids change places.
//
//     parallel_deterministic_reduce   rows   next = 0.2 (...);   sum of |next - centre|
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
    using Rows = tbb::blocked_range<std::int64_t>;
    this->arena_.execute([&] {
      for (double& delta_of_step : deltas) {
        delta_of_step = tbb::parallel_deterministic_reduce(
            Rows(0, this->plate_.height), 0.0,
            [this](const Rows& rows, double delta) {
              return delta + update_rows<T, lanes>(this->grids_, this->now_, rows.begin(), rows.end(),
                                                   this->plate_.width, this->past_caches_);
            },
            std::plus<>(), tbb::static_partitioner());
        this->now_ = 1 - this->now_;
      }
    });
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }
};

}  // namespace

extern const heat::Variant vectors =
    like_for_like_of<Solver, Vectors>("vectors", "one reduction over rows a step, each slot the same rows, in vectors");

}  // namespace boltzmark::onetbb
