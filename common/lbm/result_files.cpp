#include "common/lbm/result_files.hpp"

#include <fmt/core.h>

#include <cmath>
#include <iterator>

namespace boltzmark::lbm {

void write_final_state(AtomicFile& file, const Problem& problem, const State& state) {
  const auto solid = problem.solid_mask();
  std::string row;
  std::size_t cell = 0;
  const Parameters& p = problem.parameters;
  for (int z = 0; z < p.nz; ++z)
    for (int y = 0; y < p.ny; ++y) {
      row.clear();
      for (int x = 0; x < p.nx; ++x, ++cell) {
        const double ux = state.ux[cell], uy = state.uy[cell], pressure = state.density[cell] / 3.0;
        if (p.dimension == 2) {
          fmt::format_to(std::back_inserter(row), "{} {} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x, y, ux, uy,
                         std::sqrt(ux * ux + uy * uy), pressure, solid[cell]);
        } else {
          const double uz = state.uz[cell];
          fmt::format_to(std::back_inserter(row), "{} {} {} {:.12E} {:.12E} {:.12E} {:.12E} {:.12E} {}\n", x,
                         y, z, ux, uy, uz, std::sqrt(ux * ux + uy * uy + uz * uz), pressure, solid[cell]);
        }
      }
      file.write(row);
    }
}

void write_av_vels(AtomicFile& file, std::span<const double> av_vels) {
  for (std::size_t step = 0; step < av_vels.size(); ++step)
    file.write(fmt::format("{}:\t{:.12E}\n", step, av_vels[step]));
}

void set_solid_cells(const Problem& problem, State& state) {
  for (const std::int64_t index : problem.solid) {
    const auto cell = static_cast<std::size_t>(index);
    state.ux[cell] = state.uy[cell] = 0.0;
    if (!state.uz.empty()) state.uz[cell] = 0.0;
    state.density[cell] = problem.parameters.density;
  }
}

}  // namespace boltzmark::lbm
