// Tiled: a thread computes tiles of C in registers, of `rows` rows and two vectors.
//
//     tile += a[i .. i + rows - 1][k] * b[k][j .. j + two vectors]     for all k
//
// On a GPU neighbouring threads have tiles side by side; a thread of a processor has tiles below each other, which need
// the same columns of B. The host fills the matrices up with zeros to whole tiles, and sets rows a little further
// apart: where they are a power of two apart, they would fall on the same few sets of a cache.
#include <fmt/core.h>

#include "openmp_target/matmul/device_matrices.hpp"

namespace boltzmark::openmp_target {
namespace {

constexpr std::int64_t whole_columns = 32;  ///< a multiple of every image's tile columns

#pragma omp begin declare target

enum : int { tile_rows = 6 };

template <class T>
struct TileShape {
  enum : int { lanes = Image::is_gpu ? 16 / sizeof(T) : native_lanes<T>, vectors = 2, columns = lanes * vectors };
};

template <class T>
KERNEL_FN void multiply_tile(const T* a, const T* b, T* c, std::int64_t depth, std::int64_t stride) {
  using Vector = Pack<T, TileShape<T>::lanes>;
  Vector tile[tile_rows][TileShape<T>::vectors];
#pragma unroll
  for (auto& row : tile)
#pragma unroll
    for (auto& vector : row) vector = Vector::zero();
  for (std::int64_t k = 0; k < depth; ++k) {
    const T* const row_of_b = b + k * stride;
#pragma unroll
    for (int s = 0; s < TileShape<T>::vectors; ++s) {
      const Vector of_b = vector_at<Vector>(row_of_b + s * TileShape<T>::lanes);
#pragma unroll
      for (int r = 0; r < tile_rows; ++r) tile[r][s] = {of_b.raw * a[r * depth + k] + tile[r][s].raw};
    }
  }
#pragma unroll
  for (int r = 0; r < tile_rows; ++r)
#pragma unroll
    for (int s = 0; s < TileShape<T>::vectors; ++s) tile[r][s].store(c + r * stride + s * TileShape<T>::lanes);
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
      for (std::int64_t at = tiles.begin; at < tiles.end; at += tiles.stride) {
        const std::int64_t row = (Image::is_gpu ? at / column_tiles : at % row_tiles) * tile_rows,
                           column = (Image::is_gpu ? at % column_tiles : at / row_tiles) * TileShape<T>::columns;
        multiply_tile(a + row * depth, b + column, c + row * stride + column, depth, stride);
      }
    }
    ++this->regions_;
  }

  /// A tile's rows of A and columns of B are read for it; for processors, a strip of B once for all tiles below.
  RunFacts facts() const override {
    const bool is_gpu = this->is_gpu();
    const int lanes = device_.properties.template lanes<T>();
    const double columns = is_gpu ? 32.0 / sizeof(T) : 2.0 * lanes;
    const auto k = static_cast<double>(this->shape_.k);
    const double of_b = k / (is_gpu ? double(tile_rows) : static_cast<double>(this->shape_.m));
    RunFacts facts = this->facts_with((k / columns + of_b + 1.0) * sizeof(T));
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
