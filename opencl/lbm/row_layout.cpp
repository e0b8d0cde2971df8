#include "opencl/lbm/row_layout.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::opencl {
using namespace lbm;
namespace {

/// Density and velocity of row y of the fields from its values as they lie in the grid.
template <class T>
void store_row(const T* values, int y, const Layout& layout, double density0, const Fields& fields) {
  for (int x = 0; x < layout.nx; ++x) {
    Populations<double> a;
    for (int i = 0; i < Lattice::directions; ++i)
      a.f[i] = static_cast<double>(values[i * layout.pitch + layout.west + x]);
    const auto cell = static_cast<std::size_t>(y) * layout.nx + x;
    store_macroscopic(a, density0, fields.ux[cell], fields.uy[cell], fields.density[cell]);
  }
}

}  // namespace

int accelerated_row(const Parameters& p, const Window& window) {
  return (2 * p.ny - 2 - window.first_row + window.halo % p.ny) % p.ny;
}

int own_accelerated_row(const Parameters& p, const Window& window) {
  const int row = p.ny - 2 - window.first_row;
  return row >= 0 && row < window.rows ? window.halo + row : -1;
}

Layout make_layout(const Parameters& p, const Window& window, int lanes, int value_bytes) {
  constexpr int line_bytes = 128, page_bytes = 4096, longest_row = 200'000'000;  // a row's values fit an int
  if (p.nx > longest_row)
    throw unavailable("OpenCL: expected rows of at most {} cells, found {}", longest_row, p.nx);
  Layout layout = {};
  layout.nx = p.nx;
  layout.ny = window.rows + 2 * window.halo;
  layout.halo = window.halo;
  layout.period = p.ny;
  layout.vectors = (p.nx + lanes - 1) / lanes;
  layout.west = line_bytes / value_bytes;  // x = 0 stands on a cache line of any device
  layout.pitch = layout.west + round_up(p.nx, layout.west);
  // Segments a multiple of a page apart compete for the same lines of a CPU's first-level cache.
  if (layout.pitch * value_bytes % page_bytes == 0) layout.pitch += layout.west;
  layout.mask_words = (p.nx + 31) / 32;
  return layout;
}

std::size_t row_values(const Layout& layout) {
  return static_cast<std::size_t>(Lattice::directions) * layout.pitch;
}

std::size_t grid_values(const Layout& layout) { return row_values(layout) * layout.ny + layout.west; }

std::vector<cl_uint> obstacle_bits(const Problem& problem, const Window& window, const Layout& layout) {
  auto bits = plain_obstacle_bits(problem, window);
  if (layout.nx % 32 != 0)  // beyond the row's end all are set
    for (int y = 0; y < layout.ny; ++y)
      bits[static_cast<std::size_t>(y + 1) * layout.mask_words - 1] |= ~cl_uint{0} << (layout.nx % 32);
  return bits;
}

std::vector<cl_uint> plain_obstacle_bits(const Problem& problem, const Window& window) {
  const int nx = problem.parameters.nx, ny = problem.parameters.ny, row_words = (nx + 31) / 32;
  const int rows = window.rows + 2 * window.halo, lowest = window.first_row - window.halo;
  std::vector<cl_uint> bits(static_cast<std::size_t>(row_words) * static_cast<std::size_t>(rows));
  for (const std::int64_t cell : problem.solid) {
    const auto x = static_cast<int>(cell % nx), y = static_cast<int>(cell / nx);
    // A row may be there more than once: as a strip's own and as a halo row beyond the grid's edge.
    for (int row = ((y - lowest) % ny + ny) % ny; row < rows; row += ny)
      bits[static_cast<std::size_t>(row) * row_words + x / 32] |= cl_uint{1} << (x % 32);
  }
  return bits;
}

template <class T>
void read_rows(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout, double density0,
               const Fields& fields) {
  constexpr std::size_t read_bytes = std::size_t{16} << 20;
  const std::size_t row = row_values(layout);
  const int all_rows = layout.ny - 2 * layout.halo;
  const auto rows = static_cast<int>(std::clamp<std::size_t>(read_bytes / (row * sizeof(T)), 1, all_rows));
  std::vector<T> values(row * rows);
  for (int y = 0; y < all_rows; y += rows) {
    const int count = std::min(rows, all_rows - y);
    queue.enqueueReadBuffer(grid, CL_TRUE, (layout.halo + y) * row * sizeof(T), count * row * sizeof(T),
                            values.data());
    for (int i = 0; i < count; ++i) store_row(&values[row * i], y + i, layout, density0, fields);
  }
}

/// A sign, five bits of exponent from 2^-14 on, ten bits behind the point; exponent 0: no leading one.
StoredHalf::operator double() const {
  const int exponent = bits >> 10 & 31, digits = bits & 1023;
  const double size = exponent == 31  ? (digits ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(digits, -24)
                                      : std::ldexp(1024 + digits, exponent - 25);
  return (bits >> 15 ? -size : size) / units;
}

template void read_rows<StoredHalf>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                    const Fields&);
template void read_rows<float>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double, const Fields&);
template void read_rows<double>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double, const Fields&);

}  // namespace boltzmark::opencl
