#include "common/lbm/result_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace boltzmark::lbm {

void write_final_state(AtomicFile& file, const Problem& problem, const State& state) {
  const auto solid = problem.solid_mask();
  std::string row;
  std::size_t cell = 0;
  for (int y = 0; y < problem.parameters.ny; ++y) {
    row.clear();
    for (int x = 0; x < problem.parameters.nx; ++x, ++cell) {
      const double ux = state.ux[cell], uy = state.uy[cell];
      fmt::format_to(std::back_inserter(row), "{} {} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, ux, uy,
                     std::sqrt(ux * ux + uy * uy), state.density[cell] / 3.0, solid[cell]);
    }
    file.write(row);
  }
}

void write_av_vels(AtomicFile& file, std::span<const double> av_vels) {
  for (std::size_t step = 0; step < av_vels.size(); ++step)
    file.write(fmt::format("{}:\t{:.12E}\n", step, av_vels[step]));
}

void settle_solid_cells(const Problem& problem, State& state) {
  for (const std::int64_t index : problem.solid) {
    const auto cell = static_cast<std::size_t>(index);
    state.ux[cell] = state.uy[cell] = 0.0;
    state.density[cell] = problem.parameters.density;
  }
}

}  // namespace boltzmark::lbm
