// Two grids in this machine's memory, for the textbooks of the CPU models. The steps, with their loops over the cells,
// are in the models' files.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/cpu/range.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/textbook.hpp"
#include "common/lbm/traffic.hpp"

namespace boltzmark::lbm::textbook {

/// An array of structs for each grid.
template <class Real, class L>
struct Grids {
  /// Each worker sets the start state of its part, so that its cells are in the memory of its NUMA node. Throws Error
  /// (unavailable) if two grids do not fit in memory.
  Grids(const Problem& problem, const Workers& workers)
      : p(problem.parameters),
        constants(p),
        fluid_cells(static_cast<double>(problem.fluid_cells())),
        bytes(problem, sizeof(Cell<Real, L>)),
        solid(problem.solid_mask()),
        pushes(wall_pushes<L>(problem)) {
    require_memory("two grids", 2.0 * sizeof(Cell<Real, L>) * static_cast<double>(p.cells()));
    cells = std::make_unique_for_overwrite<Cell<Real, L>[]>(static_cast<std::size_t>(p.cells()));
    scratch = std::make_unique_for_overwrite<Cell<Real, L>[]>(static_cast<std::size_t>(p.cells()));
    on_parts(workers,
             [this](std::int64_t cell) { cells[cell] = scratch[cell] = start_of<Real, L>(p, cell, solid[cell]); });
  }

  std::int64_t index(std::int64_t ii, std::int64_t jj, std::int64_t kk) const { return ii + p.nx * (jj + p.ny * kk); }

  /// The push of moving walls on the populations that leave them, after rebound.
  void push() {
    for (const WallPush& push : pushes) cells[push.cell].speeds[push.direction] += Real(push.momentum);
  }

  void collect(State& state, const Workers& workers) const {
    on_parts(workers, [this, fields = fields_of(state)](std::int64_t cell) {
      store_macroscopic(cells[cell], constants.density, fields, static_cast<std::size_t>(cell));
    });
  }

  RunFacts facts() const {
    RunFacts facts = cpu_facts<Real, L>(2, {}, counted_flops<L>());
    facts.traffic = textbook_traffic(bytes, true);
    return facts;
  }

  Parameters p;
  Constants<Real, L> constants;
  double fluid_cells;
  GridBytes bytes;
  std::vector<std::uint8_t> solid;
  std::vector<WallPush> pushes;
  std::unique_ptr<Cell<Real, L>[]> cells, scratch;  // not std::vector, which would set every cell on the first thread

 private:
  template <class Work>
  void on_parts(const Workers& workers, const Work& work) const {
    workers.run([&](int me) {
      const Range mine = part_of(p.cells(), me, workers.count);
      for (std::int64_t cell = mine.begin; cell < mine.end; ++cell) work(cell);
    });
  }
};

}  // namespace boltzmark::lbm::textbook
