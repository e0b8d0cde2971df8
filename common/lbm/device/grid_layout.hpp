// Grids on a device by rows (layout.h): their layout, their solid cells, and their values on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device/api.hpp"
#include "common/device/host_values.hpp"
#include "common/lbm/device/layout.h"
#include "common/lbm/device/options.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {
using device::Bands;

/// The layers of the grid (rows, or planes in three dimensions) on a device: all of them, as a ring, or a strip with
/// halo layers at either end.
struct Window {
  int first_row = 0, rows = 0;  ///< layers
  int halo = 0;                 ///< more layers at either end, which are updated elsewhere too; 0 in a ring
};

inline Window whole_grid(const Parameters& parameters) { return {.rows = parameters.layers()}; }

/// The row on which the body force acts, counted from the window's first halo row; rows a multiple of ny away are the
/// same row.
int driven_row(const Parameters& parameters, const Window& window);
/// The same if it is one of the window's own rows, else -1.
int own_driven_row(const Parameters& parameters, const Window& window);

/// Layout for work-items that update vectors of `lanes` cells and values of `value_bytes`; is_padded: with values
/// between two segments of a row that belong to no cell. Throws Error (unavailable) for rows beyond what the
/// kernels can index.
Layout make_layout(const Parameters& parameters, const Window& window, int lanes, std::size_t value_bytes,
                   bool is_padded);

/// Number of values of a row and of a grid in memory.
std::size_t row_values(const Layout& layout);
std::size_t grid_values(const Layout& layout);

/// Rows of a layer.
int layer_rows(const Parameters& parameters);

/// One bit per cell of the window's rows and halo rows, see layout.h.
std::vector<std::uint32_t> solid_bits(const Problem& problem, const Window& window, const Layout& layout);

/// One bit per cell, for grids of kernels/plain.h.
std::vector<std::uint32_t> plain_solid_bits(const Problem& problem, const Window& window);

/// The constants of the collision as a kernel's argument, of the problem's lattice.
device::Value relaxation_value(const Parameters& parameters, const LbmOptions& options);

/// f16 if the options request it.
device::Storage storage_of(const LbmOptions& options);

/// The fields from row y of a window on, of rows of nx cells.
Fields from_row(const Fields& fields, int y, int nx);

/// collect_fields() for the problem's lattice.
template <class PopulationAt>
void collect_rows(const Parameters& p, int rows, const Fields& fields, const PopulationAt& population_at) {
  if (p.dimension == 2)
    collect_fields<D2Q9>(p.nx, rows, p.density, fields, population_at);
  else
    collect_fields<D3Q19>(p.nx, rows, p.density, fields, population_at);
}

/// Density and velocity of every cell except those of halo layers, from a grid in the standard order.
void read_fields(const device::Queue& queue, const device::Buffer& grid, const Layout& layout, device::Storage storage,
                 const Parameters& parameters, const Fields& fields);

/// Writes the start state of a window's own planes in three dimensions, if the run does not start at rest.
void write_start(const device::Queue& queue, const device::Buffer& grid, const Layout& layout, device::Storage storage,
                 const Problem& problem, const Window& window);

}  // namespace boltzmark::lbm
