// Textbook: the serial textbook with a directive at each loop. The threads wait for each other after every phase.
// Static schedules give each thread the same part of the cells in every phase, except for parts of a row. Each sets the
// start state of its part, so that its cells are in the memory of its NUMA node.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   speeds       cells      read, each thread's sum added to the others'
#include "common/lbm/textbook_grids.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook final : public Solver {
 public:
  Textbook(Workers workers, const Options&) : workers_(std::move(workers)) { omp_set_num_threads(workers_.count); }

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
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < at.p.nz; ++kk)
      for (std::int64_t ii = 0; ii < at.p.nx; ++ii)
        if (!at.solid[at.index(ii, jj, kk)]) textbook::accelerate(at.cells[at.index(ii, jj, kk)], at.constants);
  }

  static void propagate(Grids& at) {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < at.p.nz; ++kk)
      for (std::int64_t jj = 0; jj < at.p.ny; ++jj)
        for (std::int64_t ii = 0; ii < at.p.nx; ++ii)
          textbook::propagate(at.cells.get(), at.p, ii, jj, kk, at.scratch.get());
  }

  static void rebound(Grids& at) {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < at.p.cells(); ++cell)
      if (at.solid[cell]) textbook::rebound(at.scratch[cell], at.cells[cell]);
  }

  static void collision(Grids& at) {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < at.p.cells(); ++cell)
      if (!at.solid[cell]) textbook::collide(at.scratch[cell], at.cells[cell], at.constants);
  }

  /// Sum over the fluid cells, in double: a million cells would cost a float two digits.
  static double sum_of_speeds(const Grids& at) {
    double tot_u = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
    for (std::int64_t cell = 0; cell < at.p.cells(); ++cell)
      if (!at.solid[cell]) tot_u += textbook::speed(at.cells[cell], at.constants);
    return tot_u;
  }

  Workers workers_;
  std::optional<Grids> at_;
};

}  // namespace

extern const lbm::Variant textbook = textbook_of<Textbook>(
    "array of structs, one parallel loop per function, a reduction for the average velocity", start_workers);

}  // namespace boltzmark::openmp
