#include "opencl/lbm/row_layout.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/start_state.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

int driven_row(const Parameters& p, const Window& window) {
  if (p.dimension == 3 || p.driven_row() < 0) return p.driven_row();
  return (p.ny + p.driven_row() - window.first_row + window.halo % p.ny) % p.ny;
}

int own_driven_row(const Parameters& p, const Window& window) {
  if (p.dimension == 3 || p.driven_row() < 0) return p.driven_row();
  const int row = p.driven_row() - window.first_row;
  return row >= 0 && row < window.rows ? window.halo + row : -1;
}

int layer_rows(const Parameters& parameters) { return parameters.dimension == 3 ? parameters.ny : 1; }

Layout make_layout(const Parameters& p, const Window& window, int lanes, int value_bytes, bool is_padded) {
  constexpr int line_bytes = 128, page_bytes = 4096, longest_row = 200'000'000;  // a row's values fit an int
  if (p.nx > longest_row)
    throw unavailable("{}: expected rows of at most {} cells, found {}", api_name, longest_row, p.nx);
  Layout layout = {};
  layout.nx = p.nx;
  const int layers = window.rows + 2 * window.halo;
  layout.ny = p.dimension == 3 ? p.ny : layers;
  layout.nz = p.dimension == 3 ? layers : 1;
  layout.directions = p.dimension == 3 ? D3Q19::directions : D2Q9::directions;
  layout.halo = window.halo;
  layout.period = p.layers();
  layout.vectors = (p.nx + lanes - 1) / lanes;
  layout.west = line_bytes / value_bytes;  // x = 0 stands on a cache line of any device
  layout.pitch = (is_padded ? layout.west : 0) + round_up(p.nx, layout.west);
  // Segments a multiple of a page apart compete for the same lines of a CPU's first-level cache.
  if (layout.pitch * value_bytes % page_bytes == 0) layout.pitch += layout.west;
  layout.mask_words = (p.nx + 31) / 32;
  return layout;
}

std::size_t row_values(const Layout& layout) {
  return static_cast<std::size_t>(layout.directions) * layout.pitch;
}

std::size_t grid_values(const Layout& layout) {
  return row_values(layout) * static_cast<std::size_t>(layout.ny) * layout.nz + layout.west;
}

std::vector<cl_uint> solid_bits(const Problem& problem, const Window& window, const Layout& layout) {
  auto bits = plain_solid_bits(problem, window);
  if (layout.nx % 32 != 0)  // beyond the row's end all are set
    for (std::size_t row = 1; row <= bits.size() / layout.mask_words; ++row)
      bits[row * layout.mask_words - 1] |= ~cl_uint{0} << (layout.nx % 32);
  return bits;
}

std::vector<cl_uint> plain_solid_bits(const Problem& problem, const Window& window) {
  const Parameters& p = problem.parameters;
  const int nx = p.nx, all_layers = p.layers(), rows = layer_rows(p), row_words = (nx + 31) / 32;
  const int layers = window.rows + 2 * window.halo, lowest = window.first_row - window.halo;
  std::vector<cl_uint> bits(static_cast<std::size_t>(row_words) * rows * layers);
  for (const std::int64_t cell : problem.solid) {
    const auto x = static_cast<int>(cell % nx), row = static_cast<int>(cell / nx % rows);
    const auto layer = static_cast<int>(cell / nx / rows);
    // A layer may be there more than once: as a strip's own and as a halo layer beyond the grid's edge.
    for (int at = ((layer - lowest) % all_layers + all_layers) % all_layers; at < layers; at += all_layers)
      bits[(static_cast<std::size_t>(at) * rows + row) * row_words + x / 32] |= cl_uint{1} << (x % 32);
  }
  return bits;
}

namespace {

constexpr std::size_t transfer_bytes = std::size_t{16} << 20;

/// Rows without those of halo layers, and rows of one halo.
int own_rows(const Layout& layout) {
  return layout.nz > 1 ? layout.ny * (layout.nz - 2 * layout.halo) : layout.ny - 2 * layout.halo;
}
int halo_rows(const Layout& layout) { return layout.nz > 1 ? layout.halo * layout.ny : layout.halo; }

/// As many of them as a transfer takes.
template <class T>
int rows_at_once(const Layout& layout) {
  return static_cast<int>(
      std::clamp<std::size_t>(transfer_bytes / (row_values(layout) * sizeof(T)), 1, own_rows(layout)));
}

}  // namespace

template <class T, class L>
void read_rows(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout, double density0,
               const Fields& fields) {
  const std::size_t row = row_values(layout);
  const int all_rows = own_rows(layout), rows = rows_at_once<T>(layout);
  std::vector<T> values(row * rows);
  for (int y = 0; y < all_rows; y += rows) {
    const int count = std::min(rows, all_rows - y);
    queue.enqueueReadBuffer(grid, CL_TRUE, ((halo_rows(layout) + y) * row + layout.west) * sizeof(T),
                            count * row * sizeof(T), values.data());
    collect_fields<L>(layout.nx, count, density0, from_row(fields, y, layout.nx), [&](int i, int x, int at) {
      return static_cast<double>(values[row * at + i * layout.pitch + x]);
    });
  }
}

template <class T>
void write_start(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout,
                 const Problem& problem, const Window& window) {
  const Parameters& p = problem.parameters;
  const std::size_t row = row_values(layout);
  const int all_rows = own_rows(layout), rows = rows_at_once<T>(layout);
  const auto solid = problem.solid_mask(window.first_row, window.rows);
  std::vector<T> values(row * rows);
  for (int first = 0; first < all_rows; first += rows) {
    const int count = std::min(rows, all_rows - first);
    for (int at = 0; at < count; ++at)
      for (int x = 0; x < p.nx; ++x) {
        const int y = (first + at) % p.ny, z = window.first_row + (first + at) / p.ny;
        const bool is_solid = solid[static_cast<std::size_t>(first + at) * p.nx + x];
        const auto a = start_populations<D3Q19>(p, x, y, z, is_solid);
        for (int i = 0; i < D3Q19::directions; ++i)
          values[row * at + static_cast<std::size_t>(i) * layout.pitch + x] = static_cast<T>(a.f[i]);
      }
    queue.enqueueWriteBuffer(grid, CL_TRUE, ((halo_rows(layout) + first) * row + layout.west) * sizeof(T),
                             count * row * sizeof(T), values.data());
  }
}

template void read_rows<StoredHalf, D2Q9>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                          const Fields&);
template void read_rows<float, D2Q9>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                     const Fields&);
template void read_rows<double, D2Q9>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                      const Fields&);
template void read_rows<StoredHalf, D3Q19>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                           const Fields&);
template void read_rows<float, D3Q19>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                      const Fields&);
template void read_rows<double, D3Q19>(cl::CommandQueue&, const cl::Buffer&, const Layout&, double,
                                       const Fields&);
template void write_start<StoredHalf>(cl::CommandQueue&, const cl::Buffer&, const Layout&, const Problem&,
                                      const Window&);
template void write_start<float>(cl::CommandQueue&, const cl::Buffer&, const Layout&, const Problem&,
                                 const Window&);
template void write_start<double>(cl::CommandQueue&, const cl::Buffer&, const Layout&, const Problem&,
                                  const Window&);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
