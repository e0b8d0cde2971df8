// Textbook: an algorithm over rows for each of the two loops; the second is a reduction.
//
//     parallel_for      rows   work = 0.2 (centre + north + south + west + east)
//     parallel_reduce   rows   sum of |work - centre|;   centre = work
#include "common/heat/host_solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

template <class T>
class Textbook : public OnArena<HostSolver<T>> {
 public:
  using OnArena<HostSolver<T>>::OnArena;

  void advance(std::span<double> deltas) override {
    using Rows = tbb::blocked_range<std::int64_t>;
    const std::int64_t height = this->plate_.height;
    this->arena_.execute([&] {
      for (double& delta_of_step : deltas) {
        tbb::parallel_for(std::int64_t{0}, height, [&](std::int64_t y) { this->row_to_work(y); });
        delta_of_step = tbb::parallel_reduce(
            Rows(0, height), 0.0,
            [&](const Rows& rows, double delta) {
              for (std::int64_t y = rows.begin(); y != rows.end(); ++y) this->row_to_plate(y, delta);
              return delta;
            },
            std::plus<>());
      }
    });
  }

  RunFacts facts() const override { return this->facts_of_textbook(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("a parallel_for over rows and a parallel_reduce, to a work array and back");

}  // namespace boltzmark::onetbb
