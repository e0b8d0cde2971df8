// Textbook: the serial textbook with a directive at each loop. After every phase the threads wait for each
// other. Between these, each has its part of the cells, and by static schedules it is the same in all phases,
// but for parts of a row. Each sets the start state of its part, so that its cells are in the memory of
// its NUMA node.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read, each thread's sum added to the others'
#include "common/lbm/textbook.hpp"

#include <optional>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public OnThreads<OnHost<Solver>> {
 public:
  explicit Textbook(const Options& asked) : OnThreads<OnHost<Solver>>(asked) { omp_set_num_threads(threads_); }

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    const std::int64_t count = problem.cells();
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    constants_.emplace(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    cells_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(count));
    scratch_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < count; ++cell)
      cells_[cell] = scratch_[cell] = textbook::start_of<Real, L>(p_, cell, solid_[cell]);
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      propagate();
      rebound();
      collision();
      av_vels[step] = av_velocity();
    }
  }

  void collect(State& state) override {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      textbook::store_macroscopic(cells_[cell], constants_->density, fields_of(state), static_cast<std::size_t>(cell));
  }

  RunFacts facts() const override { return on_machine(cpu_facts<Real, L>(2, {}, textbook::counted_flops<L>())); }

 private:
  using Cell = textbook::Cell<Real, L>;

  std::int64_t index(std::int64_t ii, std::int64_t jj, std::int64_t kk) const { return ii + p_.nx * (jj + p_.ny * kk); }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii)
        if (!solid_[index(ii, jj, kk)]) textbook::accelerate(cells_[index(ii, jj, kk)], *constants_);
  }

  void propagate() {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj)
        for (std::int64_t ii = 0; ii < p_.nx; ++ii) textbook::propagate(cells_.get(), p_, ii, jj, kk, scratch_.get());
  }

  void rebound() {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
    for (const WallPush& push : pushes_) cells_[push.cell].speeds[push.direction] += Real(push.momentum);
  }

  void collision() {
#pragma omp parallel for schedule(static)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double av_velocity() const {
    double tot_u = 0.0;  // in double, or a million cells would cost two digits
#pragma omp parallel for schedule(static) reduction(+ : tot_u)
    for (std::int64_t cell = 0; cell < p_.cells(); ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u / fluid_cells_;
  }

  Parameters p_;
  double fluid_cells_ = 0.0;
  std::optional<textbook::Constants<Real, L>> constants_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  std::unique_ptr<Cell[]> cells_, scratch_;  // no vectors: these would set every cell on the first thread
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one parallel loop per function, a reduction for the average velocity");

}  // namespace boltzmark::openmp
