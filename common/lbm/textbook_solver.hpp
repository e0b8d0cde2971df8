// What the textbooks of the CPU models have in common: two grids in this machine's memory and the order of a step's
// functions. These, with their loops over the cells, are in the models' files.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/cpu/range.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/textbook.hpp"
#include "common/lbm/traffic.hpp"

namespace boltzmark::lbm {

/// A `Host` (common/run/on_host.hpp) with an array of structs for each grid.
template <class Real, class L, class Host>
class TextbookSolver : public Host {
 public:
  using Host::Host;

  /// Each worker sets the start state of its part, so that its cells are in the memory of its NUMA node. Throws Error
  /// (unavailable) where two grids do not fit the memory.
  void init(const Problem& problem) override {
    p_ = problem.parameters;
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(p_.cells()));
    constants_.emplace(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_bytes_.emplace(problem, sizeof(Cell));
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    cells_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(p_.cells()));
    scratch_ = std::make_unique_for_overwrite<Cell[]>(static_cast<std::size_t>(p_.cells()));
    on_cells([this](std::int64_t cell) {
      cells_[cell] = scratch_[cell] = textbook::start_of<Real, L>(p_, cell, solid_[cell]);
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      propagate();
      rebound();
      for (const WallPush& push : pushes_) cells_[push.cell].speeds[push.direction] += Real(push.momentum);
      collision();
      av_vels[step] = sum_of_speeds() / fluid_cells_;
    }
  }

  void collect(State& state) override {
    on_cells([this, fields = fields_of(state)](std::int64_t cell) {
      textbook::store_macroscopic(cells_[cell], constants_->density, fields, static_cast<std::size_t>(cell));
    });
  }

  RunFacts facts() const override {
    RunFacts facts = this->on_machine(cpu_facts<Real, L>(2, {}, textbook::counted_flops<L>()));
    facts.traffic = textbook_traffic(*grid_bytes_, true);
    return facts;
  }

 protected:
  using Cell = textbook::Cell<Real, L>;

  virtual void accelerate_flow() = 0;
  virtual void propagate() = 0;
  virtual void rebound() = 0;
  virtual void collision() = 0;
  /// Sum of |u| over the fluid cells, in double, or a million cells would cost two digits.
  virtual double sum_of_speeds() = 0;

  std::int64_t index(std::int64_t ii, std::int64_t jj, std::int64_t kk) const { return ii + p_.nx * (jj + p_.ny * kk); }

  Parameters p_;
  std::optional<textbook::Constants<Real, L>> constants_;
  std::vector<std::uint8_t> solid_;
  std::unique_ptr<Cell[]> cells_, scratch_;  // no vectors: these would set every cell on the first thread

 private:
  template <class Work>
  void on_cells(const Work& work) {
    this->on_workers([&](std::int64_t me, std::int64_t workers) {
      const Range mine = part_of(p_.cells(), me, workers);
      for (std::int64_t cell = mine.begin; cell < mine.end; ++cell) work(cell);
    });
  }

  double fluid_cells_ = 0.0;
  std::optional<GridBytes> grid_bytes_;
  std::vector<WallPush> pushes_;
};

}  // namespace boltzmark::lbm
