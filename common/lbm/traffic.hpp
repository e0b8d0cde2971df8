// Traffic of the time steps of a grid of populations (common/run/swept.hpp), for variants that pass over it more or
// less than once per step.
#pragma once

#include <utility>
#include <vector>

#include "common/lbm/problem.hpp"
#include "common/run/passes.hpp"
#include "common/run/swept.hpp"

namespace boltzmark::lbm {

/// One grid: its cells, and bytes of a cell's populations.
struct GridBytes {
  double cells = 0.0, of_cell = 0.0;
  double fluid_share = 1.0;  ///< of the cells
  double crossing_share;     ///< of a cell's populations moving to the layer on one side

  GridBytes(const Problem& problem, double bytes_of_cell)
      : cells(static_cast<double>(problem.cells())),
        of_cell(bytes_of_cell),
        fluid_share(static_cast<double>(problem.fluid_cells()) / cells),
        crossing_share(problem.parameters.dimension == 2 ? 3.0 / 9.0 : 5.0 / 19.0) {}
  double all() const { return cells * of_cell; }
};

/// For a step of loops that each read and write grid 0 or 1.
inline Traffic traffic_of_loops(const GridBytes& grid, bool write_allocate, std::vector<Pass> loops, int steps = 1) {
  return traffic_of({grid.cells, {grid.of_cell, grid.of_cell}, std::move(loops), steps}, write_allocate);
}

/// For a step with a loop per function: propagation, rebound and collision together, and average velocity.
inline Traffic textbook_traffic(const GridBytes& grid, bool write_allocate) {
  constexpr int cells = 0, scratch = 1;
  return traffic_of_loops(grid, write_allocate,
                          {{{cells}, {scratch}}, {{scratch}, {cells}}, {{cells}, {}, grid.fluid_share}});
}

/// For a grid updated in place, with several steps per sweep, each one layer behind the step before. In every second
/// step, the step before has just touched the populations that move between layers: three of nine, or five of nineteen.
inline Traffic swept_grid(const GridBytes& grid, std::int64_t steps, std::int64_t depth, double window,
                          Overlap overlap = {}) {
  const auto levels = static_cast<double>(depth);
  return swept({.grid = grid.all(),
                .per_update = 2.0 * grid.of_cell,
                .of_sweep = 2.0 * grid.of_cell,
                .steps_share = sweeps_a_step(steps, depth),
                .window = window,
                .near_share = grid.crossing_share * (levels - 1.0) / levels,
                .near_bytes = window / (levels + 1.0),
                .overlap = overlap});
}

/// For launches of several steps from one grid to another, with tiles on the chip in between. `read_again`: the share
/// of the cells, around the tiles, that a launch reads more than once; this many cells of tiles are in progress at
/// once.
inline Traffic launched_steps(const GridBytes& grid, std::int64_t steps, std::int64_t depth, bool write_allocate,
                              double read_again, double cells_at_work) {
  const double launches = sweeps_a_step(steps, depth);
  return in_order(
      {{"grids", 2.0 * grid.all(), (write_allocate ? 3.0 : 2.0) * grid.of_cell * launches},
       {"rings", std::min(cells_at_work * grid.of_cell, grid.all()), grid.of_cell * read_again * launches}});
}

/// For all steps in a launch, or this many: the grid stays on the chip, and data cross from tile to tile in `mailbox`
/// bytes.
inline Traffic resident_steps(const GridBytes& grid, std::int64_t steps, std::int64_t launch_steps, double mailbox,
                              double messages_per_update) {
  const double launches = sweeps_a_step(steps, launch_steps), loaded = 2.0 * grid.of_cell * launches;
  return in_order(
      {{"grids", 2.0 * grid.all(), loaded},
       {"messages", mailbox, messages_per_update},
       {.of = "populations", .bytes = grid.all(), .per_update = 2.0 * grid.of_cell - loaded, .on_chip = true}});
}

}  // namespace boltzmark::lbm
