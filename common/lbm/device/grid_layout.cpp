#include "common/lbm/device/grid_layout.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/device/build.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/each_row.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

using namespace device;

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

Layout make_layout(const Parameters& p, const Window& window, int lanes, std::size_t value_bytes, bool is_padded) {
  constexpr int line_bytes = 128, page_bytes = 4096, longest_row = 200'000'000;  // a row's values fit an int
  if (p.nx > longest_row)
    throw unavailable("{}: expected rows of at most {} cells, found {}", api().name, longest_row, p.nx);
  Layout layout = {};
  layout.nx = p.nx;
  const int layers = window.rows + 2 * window.halo;
  layout.ny = p.dimension == 3 ? p.ny : layers;
  layout.nz = p.dimension == 3 ? layers : 1;
  layout.directions = p.dimension == 3 ? D3Q19::directions : D2Q9::directions;
  layout.halo = window.halo;
  layout.period = p.layers();
  layout.vectors = (p.nx + lanes - 1) / lanes;
  layout.west = line_bytes / static_cast<int>(value_bytes);  // x = 0 is at the start of a cache line of any device
  layout.pitch = (is_padded ? layout.west : 0) + round_up(p.nx, layout.west);
  // Segments a multiple of a page apart compete for the same lines of a CPU's first-level cache.
  if (static_cast<std::size_t>(layout.pitch) * value_bytes % page_bytes == 0) layout.pitch += layout.west;
  layout.mask_words = (p.nx + 31) / 32;
  return layout;
}

std::size_t row_values(const Layout& layout) { return static_cast<std::size_t>(layout.directions) * layout.pitch; }

std::size_t grid_values(const Layout& layout) {
  return row_values(layout) * static_cast<std::size_t>(layout.ny) * layout.nz + layout.west;
}

std::vector<std::uint32_t> solid_bits(const Problem& problem, const Window& window, const Layout& layout) {
  auto bits = plain_solid_bits(problem, window);
  if (layout.nx % 32 != 0)  // beyond the row's end all are set
    for (std::size_t row = 1; row <= bits.size() / layout.mask_words; ++row)
      bits[row * layout.mask_words - 1] |= ~std::uint32_t{0} << (layout.nx % 32);
  return bits;
}

std::vector<std::uint32_t> plain_solid_bits(const Problem& problem, const Window& window) {
  const Parameters& p = problem.parameters;
  const int nx = p.nx, all_layers = p.layers(), rows = layer_rows(p), row_words = (nx + 31) / 32;
  const int layers = window.rows + 2 * window.halo, lowest = window.first_row - window.halo;
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(row_words) * rows * layers);
  for (const std::int64_t cell : problem.solid) {
    const auto x = static_cast<int>(cell % nx), row = static_cast<int>(cell / nx % rows);
    const auto layer = static_cast<int>(cell / nx / rows);
    // A layer may occur more than once: as a strip's own layer and as a halo layer beyond the grid's edge.
    for (int at = ((layer - lowest) % all_layers + all_layers) % all_layers; at < layers; at += all_layers)
      bits[(static_cast<std::size_t>(at) * rows + row) * row_words + x / 32] |= std::uint32_t{1} << (x % 32);
  }
  return bits;
}

Value relaxation_value(const Parameters& parameters, const LbmOptions& options) {
  Parameters p = parameters;
  if (options.half_storage) p.density *= half_units();
  const auto of = [&]<class T>(T) {
    return p.dimension == 2 ? Value(make_relaxation<T, D2Q9>(p)) : Value(make_relaxation<T, D3Q19>(p));
  };
  return options.precision == Precision::f64 ? of(double()) : of(float());
}

Storage storage_of(const LbmOptions& options) {
  return options.half_storage ? Storage::f16 : device::storage_of(options.precision);
}

Fields from_row(const Fields& fields, int y, int nx) {
  const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(nx);
  return {fields.ux.subspan(first), fields.uy.subspan(first), fields.density.subspan(first),
          fields.uz.empty() ? fields.uz : fields.uz.subspan(first)};
}

namespace {

/// Rows without those of halo layers, and rows of one halo.
int own_rows(const Layout& layout) {
  return layout.nz > 1 ? layout.ny * (layout.nz - 2 * layout.halo) : layout.ny - 2 * layout.halo;
}
int halo_rows(const Layout& layout) { return layout.nz > 1 ? layout.halo * layout.ny : layout.halo; }

/// Calls `move` for each part of a window's own rows, of the size of a good transfer: its first row, its number of
/// rows, its bytes in the grid, and memory for it on the host. Rows begin at x = 0.
template <class Move>
void for_parts(const Layout& layout, Storage storage, const Move& move) {
  constexpr std::size_t transfer_bytes = std::size_t{16} << 20;
  const std::size_t row = row_values(layout), value_bytes = bytes_of(storage);
  const int all = own_rows(layout);
  const auto rows =
      static_cast<int>(std::clamp<std::size_t>(transfer_bytes / (row * value_bytes), 1, static_cast<std::size_t>(all)));
  HostValues values(storage, row * static_cast<std::size_t>(rows));
  for (int first = 0; first < all; first += rows) {
    const int count = std::min(rows, all - first);
    const auto start =
        static_cast<std::size_t>(halo_rows(layout) + first) * row + static_cast<std::size_t>(layout.west);
    move(first, count, Region{start * value_bytes, static_cast<std::size_t>(count) * row * value_bytes}, values);
  }
}

}  // namespace

void read_fields(const Queue& queue, const Buffer& grid, const Layout& layout, Storage storage, const Parameters& p,
                 const Fields& fields) {
  for_parts(layout, storage, [&](int first, int count, const Region& part, HostValues& values) {
    queue->read(grid, part, values.data());
    collect_rows(p, count, from_row(fields, first, p.nx), [&](int i, int x, int y) {
      return values[row_values(layout) * y + static_cast<std::size_t>(i) * layout.pitch + x];
    });
  });
}

void write_start(const Queue& queue, const Buffer& grid, const Layout& layout, Storage storage, const Problem& problem,
                 const Window& window) {
  const Parameters& p = problem.parameters;
  const auto solid = problem.solid_mask(window.first_row, window.rows);
  for_parts(layout, storage, [&](int first, int count, const Region& part, HostValues& values) {
    each_row(p.nx, count, [&](int at) {
      for (int x = 0; x < p.nx; ++x) {
        const int y = (first + at) % p.ny, z = window.first_row + (first + at) / p.ny;
        const bool is_solid = solid[static_cast<std::size_t>(first + at) * p.nx + x];
        const auto a = start_populations<D3Q19>(p, x, y, z, is_solid);
        for (int i = 0; i < D3Q19::directions; ++i)
          values.set(row_values(layout) * at + static_cast<std::size_t>(i) * layout.pitch + x, a.f[i]);
      }
    });
    queue->write(grid, part.first, part.row_bytes, values.data());
  });
}

}  // namespace boltzmark::lbm
