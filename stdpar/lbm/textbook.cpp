// Textbook: the serial textbook with a parallel algorithm for each loop, one element per cell. An algorithm ends when
// all threads are done; the library assigns cells to threads. par_unseq: cells are independent, so they may also be
// interleaved on a thread.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read, transform_reduce
#include "common/lbm/textbook_grids.hpp"

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook final : public Solver {
 public:
  Textbook(Workers workers, const Options&) : workers_(std::move(workers)) {}

  void init(const Problem& problem) override { at_.emplace(problem, workers_); }
  void run(int steps, std::span<double> av_vels) override {
    Grids& at = *at_;
    for (int step = 0; step < steps; ++step) {
      accelerate_flow(at);
      propagate(at);
      rebound(at);
      at.push();
      collision(at);
      av_vels[step] = sum_of_speeds(at) / at.fluid_cells;
    }
  }
  void collect(State& state) override { at_->collect(state, workers_); }
  RunFacts facts() const override { return workers_.with(at_->facts()); }

 private:
  using Grids = textbook::Grids<Real, L>;

  template <class Work>
  static void for_each(std::int64_t count, const Work& work) {
    std::for_each(std::execution::par_unseq, counting(0), counting(count), work);
  }

  static void accelerate_flow(Grids& at) {
    if (at.p.driven_row() < 0) return;
    for_each(std::int64_t{at.p.nx} * at.p.nz, [&at](std::int64_t number) {
      const std::int64_t ii = number % at.p.nx, kk = number / at.p.nx,
                         cell = ii + at.p.nx * (at.p.driven_row() + at.p.ny * kk);
      if (!at.solid[cell]) textbook::accelerate(at.cells[cell], at.constants);
    });
  }

  static void propagate(Grids& at) {
    for_each(at.p.cells(), [&at](std::int64_t cell) {
      textbook::propagate(at.cells.get(), at.p, cell % at.p.nx, cell / at.p.nx % at.p.ny, cell / at.p.nx / at.p.ny,
                          at.scratch.get());
    });
  }

  static void rebound(Grids& at) {
    for_each(at.p.cells(), [&at](std::int64_t cell) {
      if (at.solid[cell]) textbook::rebound(at.scratch[cell], at.cells[cell]);
    });
  }

  static void collision(Grids& at) {
    for_each(at.p.cells(), [&at](std::int64_t cell) {
      if (!at.solid[cell]) textbook::collide(at.scratch[cell], at.cells[cell], at.constants);
    });
  }

  /// Sum over the fluid cells, in double: a million cells would cost a float two digits.
  static double sum_of_speeds(const Grids& at) {
    return std::transform_reduce(
        std::execution::par_unseq, counting(0), counting(at.p.cells()), 0.0, std::plus<>{}, [&at](std::int64_t cell) {
          return at.solid[cell] ? 0.0 : static_cast<double>(textbook::speed(at.cells[cell], at.constants));
        });
  }

  Workers workers_;
  std::optional<Grids> at_;
};

}  // namespace

extern const lbm::Variant textbook = textbook_of<Textbook>(
    "array of structs, one algorithm per function, a transform_reduce for the average velocity", start_workers);

}  // namespace boltzmark::stdpar
