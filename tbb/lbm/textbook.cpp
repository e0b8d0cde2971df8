// Textbook: the serial textbook with a parallel_for for each loop, one cell an index; the last is a parallel_reduce.
// After each of them all threads are done.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read, parallel_reduce
#include "common/lbm/textbook.hpp"

#include <optional>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public OnArena<OnHost<Solver>> {
 public:
  using OnArena<OnHost<Solver>>::OnArena;

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
    for_each(count, [this](std::int64_t cell) {
      cells_[cell] = scratch_[cell] = textbook::start_of<Real, L>(p_, cell, solid_[cell]);
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    for (double& av_vel : av_vels.first(static_cast<std::size_t>(steps))) {
      accelerate_flow();
      for_each(p_.cells(), [this](std::int64_t cell) {
        const std::int64_t ii = cell % p_.nx, jj = cell / p_.nx % p_.ny, kk = cell / p_.nx / p_.ny;
        textbook::propagate(cells_.get(), p_, ii, jj, kk, scratch_.get());
      });
      for_each(p_.cells(), [this](std::int64_t cell) {
        if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
      });
      for (const WallPush& push : pushes_) cells_[push.cell].speeds[push.direction] += Real(push.momentum);
      for_each(p_.cells(), [this](std::int64_t cell) {
        if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
      });
      av_vel = av_velocity();
    }
  }

  void collect(State& state) override {
    for_each(p_.cells(), [this, fields = fields_of(state)](std::int64_t cell) {
      textbook::store_macroscopic(cells_[cell], constants_->density, fields, static_cast<std::size_t>(cell));
    });
  }

  RunFacts facts() const override { return this->on_machine(cpu_facts<Real, L>(2, {}, textbook::counted_flops<L>())); }

 private:
  using Cell = textbook::Cell<Real, L>;

  template <class Work>
  void for_each(std::int64_t count, const Work& work) {
    arena_.execute([&] { tbb::parallel_for(std::int64_t{0}, count, work); });
  }

  void accelerate_flow() {
    if (p_.driven_row() < 0) return;
    for_each(std::int64_t{p_.nx} * p_.nz, [this](std::int64_t at) {
      const std::int64_t ii = at % p_.nx, kk = at / p_.nx, cell = ii + p_.nx * (p_.driven_row() + p_.ny * kk);
      if (!solid_[cell]) textbook::accelerate(cells_[cell], *constants_);
    });
  }

  double av_velocity() {
    using Cells = tbb::blocked_range<std::int64_t>;
    return arena_.execute([this] {
      return tbb::parallel_reduce(
          Cells(0, p_.cells()), 0.0,
          [this](const Cells& cells, double tot_u) {  // in double, or a million cells would cost two digits
            for (std::int64_t cell = cells.begin(); cell != cells.end(); ++cell)
              if (!solid_[cell]) tot_u += static_cast<double>(textbook::speed(cells_[cell], *constants_));
            return tot_u;
          },
          std::plus<>());
    }) / fluid_cells_;
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
    textbook_of<Textbook>("array of structs, one algorithm per function, a parallel_reduce for the average velocity");

}  // namespace boltzmark::onetbb
