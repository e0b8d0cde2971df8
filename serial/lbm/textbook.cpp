// Textbook: the method as usually written. Array of structs, one loop per function, two grids; no vectors, no fusion.
// Compiled without -march=native, so that it is the same baseline on every machine of an architecture.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read
#include "common/lbm/textbook_grids.hpp"

namespace boltzmark::serial {
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

  static void accelerate_flow(Grids& at) {
    const std::int64_t jj = at.p.driven_row();
    if (jj < 0) return;
    for (std::int64_t kk = 0; kk < at.p.nz; ++kk)
      for (std::int64_t ii = 0; ii < at.p.nx; ++ii)
        if (!at.solid[at.index(ii, jj, kk)]) textbook::accelerate(at.cells[at.index(ii, jj, kk)], at.constants);
  }

  static void propagate(Grids& at) {
    for (std::int64_t kk = 0; kk < at.p.nz; ++kk)
      for (std::int64_t jj = 0; jj < at.p.ny; ++jj)
        for (std::int64_t ii = 0; ii < at.p.nx; ++ii)
          textbook::propagate(at.cells.get(), at.p, ii, jj, kk, at.scratch.get());
  }

  static void rebound(Grids& at) {
    for (std::int64_t cell = 0, cells = at.p.cells(); cell < cells; ++cell)
      if (at.solid[cell]) textbook::rebound(at.scratch[cell], at.cells[cell]);
  }

  static void collision(Grids& at) {
    for (std::int64_t cell = 0, cells = at.p.cells(); cell < cells; ++cell)
      if (!at.solid[cell]) textbook::collide(at.scratch[cell], at.cells[cell], at.constants);
  }

  /// Sum over the fluid cells, in double: a million cells would cost a float two digits.
  static double sum_of_speeds(const Grids& at) {
    double tot_u = 0.0;
    for (std::int64_t cell = 0, cells = at.p.cells(); cell < cells; ++cell)
      if (!at.solid[cell]) tot_u += textbook::speed(at.cells[cell], at.constants);
    return tot_u;
  }

  Workers workers_;
  std::optional<Grids> at_;
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one loop per function: the baseline of every speed-up", one_worker);

}  // namespace boltzmark::serial
