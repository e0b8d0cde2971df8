// Grids by rows on the device, see kernels/layout.h: their layout, their solid cells, and reading them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/lbm/solver.hpp"
#include "opencl/runtime/api.hpp"

// After what says in which namespace.
#include "opencl/lbm/kernels/layout.h"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// Which layers of the grid (rows, or planes in three dimensions) a device has: all of them, a ring, or a strip of
/// them with halo layers at either end.
struct Window {
  int first_row = 0, rows = 0;  ///< layers
  int halo = 0;                 ///< more layers at either end, which are updated elsewhere too; 0 in a ring
};

inline Window whole_grid(const Parameters& parameters) { return {.rows = parameters.layers()}; }

/// The row that the body force acts on, counted from the window's first halo row; also those a multiple of ny
/// away are that row.
int driven_row(const Parameters& parameters, const Window& window);
/// The same if it is one of the window's own rows, else -1.
int own_driven_row(const Parameters& parameters, const Window& window);

inline int rows_in(const Bands& bands) { return bands.south_rows + bands.north_rows; }

/// Layout for work-items that update vectors of `lanes` cells and values of `value_bytes`; is_padded: with values
/// between two segments of a row that belong to no cell. Throws Error (unavailable) for rows beyond what the
/// kernels can index.
Layout make_layout(const Parameters& parameters, const Window& window, int lanes, int value_bytes,
                   bool is_padded);

/// Values that a row and a grid take in memory.
std::size_t row_values(const Layout& layout);
std::size_t grid_values(const Layout& layout);

/// Rows of a layer.
int layer_rows(const Parameters& parameters);

/// One bit per cell of the window's rows and halo rows, see layout.h.
std::vector<cl_uint> solid_bits(const Problem& problem, const Window& window, const Layout& layout);

/// One bit per cell, for grids of kernels/plain.h.
std::vector<cl_uint> plain_solid_bits(const Problem& problem, const Window& window);

/// A value of half storage, see kernels/pack.h.
struct StoredHalf {
  static constexpr double units = 32768.0;  ///< times what it stands for
  std::uint16_t bits = 0;                   ///< of the half
  StoredHalf() = default;
  explicit StoredHalf(double value)
      : bits(cl_half_from_float(static_cast<float>(value * units), CL_HALF_RTE)) {}
  explicit operator double() const { return static_cast<double>(cl_half_to_float(bits)) / units; }
};

/// The fields from row y of a window on, of rows of nx cells.
inline Fields from_row(const Fields& fields, int y, int nx) {
  const std::size_t first = static_cast<std::size_t>(y) * nx;
  return {fields.ux.subspan(first), fields.uy.subspan(first), fields.density.subspan(first),
          fields.uz.empty() ? fields.uz : fields.uz.subspan(first)};
}

/// Density and velocity of every cell but those of halo layers, from a grid of T (float, double or StoredHalf)
/// in the standard order.
template <class T, class L>
void read_rows(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout, double density0,
               const Fields& fields);

/// Writes the start state of a window's own planes in three dimensions, where the run does not start at rest.
template <class T>
void write_start(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout,
                 const Problem& problem, const Window& window);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
