// Tiled: a thread computes tiles of C in registers, of `rows` rows and two vectors.
//
//     tile += a[i .. i + rows - 1][k] * b[k][j .. j + two vectors]     for all k
//
// On a GPU neighbouring threads have adjacent tiles. A thread of a processor has tiles below each other, which need the
// same columns of B; if these are long, it copies `strip_depth` rows of them at a time, in order, into the first-level
// cache. The host pads the matrices with zeros to whole tiles, and separates rows a little more: a power of two apart,
// they would share a few sets of a cache.
#include <fmt/core.h>

#include <cmath>

#include "openmp_target/matmul/device_matrices.hpp"

namespace boltzmark::openmp_target {
namespace {

constexpr std::int64_t whole_columns = 32;  ///< a multiple of every image's tile columns

#pragma omp begin declare target

enum : int { tile_rows = 6 };

template <class T>
struct TileShape {
  enum : int {
    lanes = Image::is_gpu ? 16 / sizeof(T) : native_lanes<T>,
    vectors = 2,
    columns = lanes * vectors,
    strip_depth = 256
  };
};

/// c = a b, or c += a b if `adds`; rows of each matrix are its stride apart.
template <class T>
KERNEL_FN void multiply_tile(const T* a, std::int64_t a_stride, const T* b, std::int64_t b_stride, T* c,
                             std::int64_t c_stride, std::int64_t depth, bool adds) {
  using Vector = Pack<T, TileShape<T>::lanes>;
  Vector tile[tile_rows][TileShape<T>::vectors];
  UNROLL for (int r = 0; r < tile_rows; ++r) UNROLL for (int s = 0; s < TileShape<T>::vectors; ++s) tile[r][s] =
      adds ? vector_at<Vector>(c + r * c_stride + s * TileShape<T>::lanes) : Vector::zero();
  for (std::int64_t k = 0; k < depth; ++k) {
    const T* const row_of_b = b + k * b_stride;
    UNROLL for (int s = 0; s < TileShape<T>::vectors; ++s) {
      const Vector of_b = vector_at<Vector>(row_of_b + s * TileShape<T>::lanes);
      UNROLL for (int r = 0; r < tile_rows; ++r) tile[r][s] = {of_b.raw * a[r * a_stride + k] + tile[r][s].raw};
    }
  }
  UNROLL for (int r = 0; r < tile_rows; ++r) {
    T* const row = c + r * c_stride;
    UNROLL for (int s = 0; s < TileShape<T>::vectors; ++s) tile[r][s].store(row + s * TileShape<T>::lanes);
  }
}

/// Tiles below each other, by blocks of depth whose rows of B are copied to `strip`.
template <class T>
KERNEL_FN void multiply_strip(const T* a, const T* b, T* c, std::int64_t tiles, std::int64_t depth, std::int64_t stride,
                              T* strip) {
  enum : int { columns = TileShape<T>::columns, strip_depth = TileShape<T>::strip_depth };
  for (std::int64_t first = 0; first < depth; first += strip_depth) {
    const std::int64_t part = depth - first < strip_depth ? depth - first : strip_depth;
    for (std::int64_t k = 0; k < part; ++k)
      __builtin_memcpy(strip + k * columns, b + (first + k) * stride, columns * sizeof(T));
    for (std::int64_t at = 0; at < tiles; ++at)
      multiply_tile(a + at * tile_rows * depth + first, depth, strip, columns, c + at * tile_rows * stride, stride,
                    part, first > 0);
  }
}

#pragma omp end declare target

template <class T>
class Tiled : public DeviceMatrices<T> {
 public:
  using DeviceMatrices<T>::DeviceMatrices;

  void init(const Shape& shape, const Entries& entries) override {
    const auto whole = [](std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; };
    rows_ = whole(shape.m, tile_rows);
    columns_ = whole(shape.n, whole_columns);
    this->make(shape, entries, rows_, columns_ + whole_columns, shape.k);
    const std::int64_t columns = this->is_gpu() ? 32 / sizeof(T) : whole_columns;
    this->launch_over(rows_ / tile_rows * (columns_ / columns));
  }

  void multiply() override {
    const std::int64_t row_tiles = rows_ / tile_rows, columns = columns_, depth = this->shape_.k,
                       stride = this->stride_;
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const T *const a = this->a_.data(), *const b = this->b_.data();
    T* const c = this->c_.data();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(a, b, c, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const std::int64_t column_tiles = columns / TileShape<T>::columns;
      const IndexRange tiles = indices_of_thread(row_tiles * column_tiles);
      if (Image::is_gpu || depth <= TileShape<T>::strip_depth) {
        for (std::int64_t at = tiles.begin; at < tiles.end; at += tiles.stride) {
          const std::int64_t row = (Image::is_gpu ? at / column_tiles : at % row_tiles) * tile_rows,
                             column = (Image::is_gpu ? at % column_tiles : at / row_tiles) * TileShape<T>::columns;
          multiply_tile(a + row * depth, depth, b + column, stride, c + row * stride + column, stride, depth, false);
        }
      } else {
        alignas(64) T strip[TileShape<T>::strip_depth * TileShape<T>::columns];
        for (std::int64_t at = tiles.begin, count = 0; at < tiles.end; at += count) {
          const std::int64_t row = at % row_tiles * tile_rows, column = at / row_tiles * TileShape<T>::columns;
          count = std::min(tiles.end - at, row_tiles - at % row_tiles);
          multiply_strip(a + row * depth, b + column, c + row * stride + column, count, depth, stride, strip);
        }
      }
    }
    ++this->regions_;
  }

  /// Traffic: each tile reads its rows of A and columns of B; on processors, a strip of B once for all tiles below, and
  /// C again for each further block of depth.
  RunFacts facts() const override {
    const bool is_gpu = this->is_gpu();
    const int lanes = device_.properties.template lanes<T>();
    const double columns = is_gpu ? 32.0 / sizeof(T) : 2.0 * lanes;
    const auto k = static_cast<double>(this->shape_.k);
    const double of_b = k / (is_gpu ? double(tile_rows) : static_cast<double>(this->shape_.m));
    const double parts = is_gpu ? 1.0 : std::ceil(k / int{TileShape<T>::strip_depth});
    ProductTraffic traffic = this->traffic();
    if (!is_gpu)
      traffic.strips_of_b({.columns = static_cast<std::int64_t>(columns), .depth = int{TileShape<T>::strip_depth}},
                          tile_rows, launch_.threads);
    RunFacts facts = this->facts_with((k / columns + of_b + 2.0 * parts - 1.0) * sizeof(T), traffic);
    facts.settings["tile"] = fmt::format("{}x{}", int{tile_rows}, columns);
    return facts;
  }

 private:
  using DeviceMatrices<T>::device_;
  using DeviceMatrices<T>::launch_;

  std::int64_t rows_ = 0, columns_ = 0;
};

}  // namespace

extern const Variant tiled = like_for_like_of<Multiplier, Tiled>("tiled", "tiles of C in the registers of each thread");

}  // namespace boltzmark::openmp_target
