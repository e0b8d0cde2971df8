// Blocked: a team has a block of C, a tile of it in each thread's registers, and the blocks of A and B that feed these
// in team memory, twice: while one pair is multiplied, the next is loaded, directly without registers on GPUs that can
// (sm_80 and later).
//
//     next blocks on their way | tile += column of A's block * row of B's | wait for them | barrier
//
// On a GPU the threads of a warp have adjacent tiles in 4 x 8, so that they read few vectors of team memory at once;
// A's block is transposed while it is loaded. A processor's threads have tiles below each other and share B's block.
// The host pads the matrices with zeros to whole blocks.
#include <fmt/core.h>

#include "openmp_target/matmul/device_matrices.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

/// `narrow`: half as wide on a GPU, for products with too few blocks to occupy it.
template <class T, bool narrow>
struct BlockOf {
  enum : int {
    gpu_threads = 256,
    most_threads = Image::is_gpu ? gpu_threads : 256,  ///< that fit in team memory
    lanes = Image::is_gpu ? 16 / sizeof(T) : native_lanes<T>,
    tile_rows = 8,
    tile_vectors = Image::is_gpu ? (narrow ? 4 : 8) / lanes : 2,
    threads_across = Image::is_gpu ? 16 : 1,
    warps_across = Image::is_gpu ? threads_across / 8 : 1,
    row_vectors = threads_across * tile_vectors,
    columns = row_vectors * lanes,
    rows = most_threads / threads_across * tile_rows,
    depth = Image::is_gpu ? 64 / sizeof(T) : 128,
    unrolled = Image::is_gpu ? depth : 4,
    pitch = rows + lanes  ///< of A's block: stores of a warp without bank conflicts
  };
  using Vector = Pack<T, lanes>;
};

#if defined(__NVPTX__) && __CUDA_ARCH__ >= 800
template <int bytes>
KERNEL_FN void start_copy(const void* from, void* to) {
  const auto place = (__attribute__((address_space(3))) void*)to;
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"l"(place), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"l"(place), "l"(from), "n"(bytes) : "memory");
}
KERNEL_FN void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
#else
template <int bytes>
KERNEL_FN void start_copy(const void* from, void* to) {
  __builtin_memcpy(to, from, bytes);
}
KERNEL_FN void wait_for_copies() {}
#endif

/// This thread's part of the blocks of A and B that begin at `a` and `b`.
template <class Block, class T>
KERNEL_FN void start_copies(const T* a, std::int64_t depth, const T* b, std::int64_t stride, T* a_block, T* b_block) {
  const int thread = omp_get_thread_num(), threads = Image::is_gpu ? Block::gpu_threads : omp_get_num_threads();
  if (Image::is_gpu) {  // eight threads bring values along k of a row, and the next eight those of the row below
    const int k = thread % 8 + thread / 32 % (Block::depth / 8) * 8;
    const int first = thread % 32 / 8 + thread / (4 * Block::depth) * 4;
    UNROLL for (int row = 0; row < Block::rows; row += Block::gpu_threads / Block::depth)
        start_copy<sizeof(T)>(a + (first + row) * depth + k, a_block + k * Block::pitch + first + row);
  } else {
    for (int k = 0; k < Block::depth; ++k)
      for (int row = thread * Block::tile_rows; row < (thread + 1) * Block::tile_rows; ++row)
        a_block[k * Block::pitch + row] = a[row * depth + k];
  }
#pragma unroll Image::is_gpu ? Block::depth* Block::row_vectors / Block::gpu_threads : 1
  for (int i = thread; i < Block::depth * Block::row_vectors; i += threads)
    start_copy<sizeof(T) * Block::lanes>(b + i / Block::row_vectors * stride + i % Block::row_vectors * Block::lanes,
                                         b_block + i * Block::lanes);
}

#pragma omp end declare target

template <class T>
class Blocked : public DeviceMatrices<T> {
 public:
  using DeviceMatrices<T>::DeviceMatrices;

  void init(const Shape& shape, const Entries& entries) override {
    const auto whole = [](std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; };
    if (this->is_gpu() && this->asked_threads_.value_or(Block::gpu_threads) != Block::gpu_threads)
      throw unavailable("--threads: expected {} for blocked on a GPU, found {}", int{Block::gpu_threads},
                        *this->asked_threads_);
    launch_ = launch_for(device_, this->is_gpu() ? int{Block::gpu_threads} : this->asked_threads_, 1);
    launch_.threads = std::min<int>(launch_.threads, Block::most_threads);
    block_rows_ = this->is_gpu() ? 128 : launch_.threads * Block::tile_rows;
    rows_ = whole(shape.m, block_rows_);
    const std::int64_t wide = rows_ / block_rows_ * (whole(shape.n, 128) / 128);
    is_narrow_ = this->is_gpu() && rounds(2 * wide) < 2 * rounds(wide);
    block_columns_ = this->is_gpu() ? (is_narrow_ ? 64 : 128) : 2 * device_.properties.template lanes<T>();
    depth_ = whole(shape.k, depth_of_block());
    this->make(shape, entries, rows_, whole(shape.n, block_columns_), depth_);
    if (this->is_gpu()) launch_.teams = static_cast<int>(rows_ / block_rows_ * (this->stride_ / block_columns_));
  }

  void multiply() override {
    if (is_narrow_)
      multiply_blocks<true>();
    else
      multiply_blocks<false>();
  }

  /// Traffic: each block reads its rows of A and columns of B.
  RunFacts facts() const override {
    const auto k = static_cast<double>(this->shape_.k);
    ProductTraffic traffic = this->traffic();
    traffic.groups({block_rows_, block_columns_, depth_of_block()}, std::max(1, device_.multiprocessors));
    RunFacts facts = this->facts_with(
        (k / static_cast<double>(block_columns_) + k / static_cast<double>(block_rows_) + 1.0) * sizeof(T), traffic);
    facts.settings["block"] = fmt::format("{}x{}", block_rows_, block_columns_);
    return facts;
  }

 private:
  using Block = BlockOf<T, false>;
  using DeviceMatrices<T>::device_;
  using DeviceMatrices<T>::launch_;

  std::int64_t depth_of_block() const { return this->is_gpu() ? 64 / std::int64_t{sizeof(T)} : 128; }
  /// Rounds in which the multiprocessors do this many blocks.
  std::int64_t rounds(std::int64_t blocks) const {
    const int at_once = std::max(1, device_.multiprocessors);
    return (blocks + at_once - 1) / at_once;
  }

  template <bool narrow>
  void multiply_blocks() {
    const std::int64_t depth = depth_, stride = this->stride_, block_rows = block_rows_;
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const T *const a = this->a_.data(), *const b = this->b_.data();
    T* const c = this->c_.data();
    const std::int64_t blocks_across = stride / block_columns_, blocks = rows_ / block_rows * blocks_across;
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(a, b, c, record) device(device) num_teams(teams) thread_limit(threads)
    {
      alignas(64) static T a_blocks[2][BlockOf<T, narrow>::depth * BlockOf<T, narrow>::pitch];
      alignas(64) static T b_blocks[2][BlockOf<T, narrow>::depth * BlockOf<T, narrow>::columns];
#pragma omp allocate(a_blocks, b_blocks) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        using Tile = BlockOf<T, narrow>;
        using Vector = typename Tile::Vector;
        const int thread = omp_get_thread_num(), warp = thread / 32;
        const int x = Image::is_gpu ? warp % int{Tile::warps_across} * 8 + thread % 8 : 0;
        const int y = Image::is_gpu ? warp / int{Tile::warps_across} * 4 + thread % 32 / 8 : thread;
        for (std::int64_t block = omp_get_team_num(); block < blocks; block += teams) {
          const std::int64_t first_row = block / blocks_across * block_rows;
          const std::int64_t first_column = block % blocks_across * Tile::columns;
          const T *from_a = a + first_row * depth, *from_b = b + first_column;
          Vector tile[Tile::tile_rows][Tile::tile_vectors];
          UNROLL for (auto& row : tile) UNROLL for (auto& vector : row) vector = Vector::zero();
          start_copies<Tile>(from_a, depth, from_b, stride, a_blocks[0], b_blocks[0]);
          wait_for_copies();
#pragma omp barrier
          int half = 0;
          for (std::int64_t k = 0; k < depth; k += Tile::depth, half = 1 - half) {
            from_a += Tile::depth;
            from_b += Tile::depth * stride;
            if (k + Tile::depth < depth)
              start_copies<Tile>(from_a, depth, from_b, stride, a_blocks[1 - half], b_blocks[1 - half]);
#pragma unroll Tile::unrolled
            for (int l = 0; l < Tile::depth; ++l) {
              const T* const of_a = a_blocks[half] + l * Tile::pitch + y * Tile::tile_rows;
              const T* const row_of_b = b_blocks[half] + l * Tile::columns + x * Tile::lanes;
              T column[Tile::tile_rows];
              UNROLL for (int r = 0; r < Tile::tile_rows; ++r) column[r] = of_a[r];
              UNROLL for (int s = 0; s < Tile::tile_vectors; ++s) {
                const Vector of_b = vector_at<Vector>(row_of_b + s * Tile::threads_across * Tile::lanes);
                UNROLL for (int r = 0; r < Tile::tile_rows; ++r) tile[r][s] = {of_b.raw * column[r] + tile[r][s].raw};
              }
            }
            wait_for_copies();
#pragma omp barrier
          }
          UNROLL for (int r = 0; r < Tile::tile_rows; ++r) UNROLL for (int s = 0; s < Tile::tile_vectors; ++s)
              set_vector(c + (first_row + y * Tile::tile_rows + r) * stride + first_column +
                             (s * Tile::threads_across + x) * Tile::lanes,
                         tile[r][s]);
        }
      }
    }
    ++this->regions_;
  }

  std::int64_t rows_ = 0, depth_ = 0, block_rows_ = 0, block_columns_ = 0;
  bool is_narrow_ = false;
};

}  // namespace

extern const Variant blocked = {.name = "blocked",
                                .summary = "tiles of C in registers, blocks of A and B in team memory",
                                .make = made_of<Multiplier, Blocked>};

}  // namespace boltzmark::openmp_target
