#include "opencl/lbm/row_layout.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::opencl {
using namespace lbm;

int driven_row(const Parameters& p, const Window& window) {
  return (p.ny + p.driven_row() - window.first_row + window.halo % p.ny) % p.ny;
}

int own_driven_row(const Parameters& p, const Window& window) {
  const int row = p.driven_row() - window.first_row;
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

std::vector<cl_uint> solid_bits(const Problem& problem, const Window& window, const Layout& layout) {
  auto bits = plain_solid_bits(problem, window);
  if (layout.nx % 32 != 0)  // beyond the row's end all are set
    for (int y = 0; y < layout.ny; ++y)
      bits[static_cast<std::size_t>(y + 1) * layout.mask_words - 1] |= ~cl_uint{0} << (layout.nx % 32);
  return bits;
}

std::vector<cl_uint> plain_solid_bits(const Problem& problem, const Window& window) {
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
    collect_fields(layout.nx, count, density0, from_row(fields, y, layout.nx), [&](int i, int x, int at) {
      return static_cast<double>(values[row * at + i * layout.pitch + layout.west + x]);
    });
  }
}

template void read_rows<StoredHalf>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                    const Fields&);
template void read_rows<float>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double, const Fields&);
template void read_rows<double>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double, const Fields&);

}  // namespace boltzmark::opencl
