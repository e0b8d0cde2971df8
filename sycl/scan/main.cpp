// scan-sycl: prefix sums in SYCL. SYCL itself has them only for the items of a group (joint_inclusive_scan), and
// AdaptiveCpp's generic kernels do not have even those, so they are computed here in local memory.
#include "sycl/on_queue.hpp"

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace scan;

/// Numbers of a group in local memory, in rows that begin in banks of their own.
template <class T, int rows>
struct Rows {
  static constexpr int length = 32, pitch = length + 1;
  ::sycl::local_accessor<T, 1> numbers, sums;
  explicit Rows(::sycl::handler& handler)
      : numbers(::sycl::range<1>(rows * pitch), handler), sums(::sycl::range<1>(rows), handler) {}
  KERNEL_FN T& operator[](int number) const { return numbers[number / length * pitch + number % length]; }

  /// Each number becomes the sum of those before it in its row: an item scans a row. Called by all items together.
  void scan(const ::sycl::nd_item<1>& item) const {
    const auto row = static_cast<int>(item.get_local_linear_id());
    ::sycl::group_barrier(item.get_group());
    if (row < rows) {
      T sum = 0;
#pragma unroll
      for (int i = 0; i < length; ++i) {
        const T number = numbers[row * pitch + i];
        numbers[row * pitch + i] = sum;
        sum += number;
      }
      sums[row] = sum;
    }
    ::sycl::group_barrier(item.get_group());
  }
};

/// Textbook: groups scan blocks of their size, then the sums of the blocks are scanned in the same way, and each
/// block's elements get the sum before it.
struct Textbook {
  static constexpr Passes passes = adds_after;

  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    std::int64_t all = 0, count = elements;
    do all += count = blocks_of(count);
    while (count > 1);
    scan_blocks(values, sums, elements, partial_results<T>(all));
    wait_for_all();
  }

  static std::int64_t blocks_of(std::int64_t count) { return (count + group_items - 1) / group_items; }

  /// of_blocks: for the sums of blocks, then of blocks of these, ...
  template <class T>
  static void scan_blocks(const T* values, T* sums, std::int64_t count, T* of_blocks) {
    queue().submit([&](::sycl::handler& handler) {
      constexpr int rows = group_items / 32;
      const Rows<T, rows> of_items(handler);
      handler.parallel_for(groups_over(count), [=](::sycl::nd_item<1> item) {
        const auto me = static_cast<int>(item.get_local_linear_id());
        const auto i = static_cast<std::int64_t>(item.get_global_linear_id());
        const T mine = i < count ? values[i] : T(0);
        of_items[me] = mine;
        of_items.scan(item);
        T sum = of_items[me] + mine;
        for (int row = 0; row < me / of_items.length; ++row) sum += of_items.sums[row];
        if (i < count) sums[i] = sum;
        if (me == group_items - 1) of_blocks[item.get_group_linear_id()] = sum;
      });
    });
    if (count <= group_items) return;
    scan_blocks(of_blocks, of_blocks, blocks_of(count), of_blocks + blocks_of(count));
    each(count - group_items,
         [=](std::int64_t i) { sums[i + group_items] += of_blocks[i / group_items]; });  // the first block has no other
  }
};

/// A value of a tile: words with a half of it each, and above it the number of the run, so that neither fences nor
/// clearing are needed. Volatile, because every device reads and writes whole words. In generic kernels for GPUs,
/// AdaptiveCpp's atomic load() is a plain load, which compilers move out of a loop, and its store() adds a fence.
template <class T>
struct Published {
  static constexpr int words = sizeof(T) / 4;
  volatile unsigned long long* of_tiles;
  std::uint32_t run;

  void put(std::int64_t tile, T value) const {
    std::uint32_t halves[words];
    __builtin_memcpy(halves, &value, sizeof value);
    for (int i = 0; i < words; ++i) of_tiles[tile * words + i] = static_cast<unsigned long long>(run) << 32 | halves[i];
  }
  T wait_for(std::int64_t tile) const {
    std::uint32_t halves[words];
    for (int i = 0; i < words;) {
      const unsigned long long word = of_tiles[tile * words + i];
      halves[i] = static_cast<std::uint32_t>(word);
      if (word >> 32 == run) ++i;
    }
    T value;
    __builtin_memcpy(&value, halves, sizeof value);
    return value;
  }
};

/// Numbers from 0 on, each given out once in a launch.
struct Tickets {
  unsigned long long* given;
  std::int64_t take() const {
    return static_cast<std::int64_t>(
        ::sycl::atomic_ref<unsigned long long, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device,
                           ::sycl::access::address_space::global_space>(*given)
            .fetch_add(1ull));
  }
};

/// A group of a GPU stays to the end. It publishes the sum of a tile two turns before it writes that tile, and adds up
/// what others have published since its last one, so that none waits for long:
///
///     turn                             1      2      3      4
///     read, into registers           tile a      b      c      d
///     sum published, into local memory       a      b      c
///     written                                            a      b
///
/// Of a tile's vectors of 16 bytes neighbouring items have neighbouring ones.
template <class T>
struct Group {
  /// Vectors of an item in a tile: as many as leave two tiles and the sums below 48 KiB of local memory.
  static constexpr int vectors = sizeof(T) == 4 ? 5 : 4;
  static constexpr int lanes = 16 / sizeof(T), tile_size = vectors * lanes * group_items, ahead = 2, length = 32,
                       rows = vectors * group_items / length, of_items = group_items / length;
  using Vector = typename Pack<T, lanes>::Raw;

  const T* values;
  T* sums;
  std::int64_t count, tiles;
  Published<T> published;
  Tickets tickets;
  Rows<T, rows + of_items> numbers;  ///< of the vectors of a tile, and behind them of the items
  ::sycl::local_accessor<Vector, 1> kept;
  ::sycl::local_accessor<std::int64_t, 1> taken;

  void operator()(::sycl::nd_item<1> item) const {
    const auto me = static_cast<int>(item.get_local_linear_id());
    if (me == 0)
      for (int turn = 1; turn < 3; ++turn) taken[turn] = tickets.take();  // before the first turn, which writes place 0
    ::sycl::group_barrier(item.get_group());
    std::int64_t mine[ahead + 2] = {-1, -1, taken[1], taken[2]};  // to write now, in the next turn, ...; -1: no tile
    std::int64_t ticket = me == 0 ? tickets.take() : 0, written = 0;
    T before = 0, of_tiles[ahead] = {};
    Vector here[vectors], coming[vectors];
    read(mine[ahead], me, here);
    for (int turn = 0; mine[0] < tiles; ++turn) {
      read(mine[ahead + 1], me, coming);
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
#pragma unroll
        for (int lane = 1; lane < lanes; ++lane) here[v][lane] += here[v][lane - 1];
        numbers[v * group_items + me] = here[v][lanes - 1];
      }
      T of_others = 0;
      for (std::int64_t tile = written + me; tile < mine[0]; tile += group_items) of_others += published.wait_for(tile);
      numbers[rows * length + me] = of_others;
      if (me == 0) taken[turn % 2] = ticket, ticket = tickets.take();
      numbers.scan(item);

      T sum = 0, before_row[vectors];
#pragma unroll
      for (int row = 0; row < rows; ++row) {
        if (row % of_items == me / length) before_row[row / of_items] = sum;
        sum += numbers.sums[row];
      }
      if (me == 0 && mine[ahead] < tiles) published.put(mine[ahead], sum);
#pragma unroll
      for (int row = rows; row < rows + of_items; ++row) before += numbers.sums[row];
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        Vector& place = kept[(turn % ahead * vectors + v) * group_items + me];
        if (mine[0] >= 0) write(mine[0], me, v, place + before);
        place = here[v] + (before_row[v] + numbers[v * group_items + me]);
        here[v] = coming[v];
      }
      before += of_tiles[0];
      of_tiles[0] = of_tiles[1], of_tiles[1] = sum;
      written = mine[0] + 1;
      for (int i = 0; i <= ahead; ++i) mine[i] = mine[i + 1];
      mine[ahead + 1] = taken[turn % 2];
    }
  }
  /// Zeros where there are no more values.
  KERNEL_FN void read(std::int64_t tile, int me, Vector* to) const {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const std::int64_t at = tile * tile_size + (v * group_items + me) * lanes;
      if (at + lanes <= count)
        to[v] = *reinterpret_cast<const Vector*>(values + at);
      else
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) to[v][lane] = at + lane < count ? values[at + lane] : T(0);
    }
  }
  KERNEL_FN void write(std::int64_t tile, int me, int v, Vector vector) const {
    const std::int64_t at = tile * tile_size + (v * group_items + me) * lanes;
    if (at + lanes <= count)
      *reinterpret_cast<Vector*>(sums + at) = vector;
    else
#pragma unroll
      for (int lane = 0; lane < lanes; ++lane)
        if (at + lane < count) sums[at + lane] = vector[lane];
  }
};

/// Look-back: values are read and sums written once (Merrill and Garland 2016). Tiles are taken by tickets, so that all
/// before one have begun, too. A unit of a processor has each tile in its caches, and waits for the prefix of the one
/// before it. SYCL does not guarantee that other groups make progress while one waits; implementations continue groups
/// that have begun.
struct LookBack {
  struct OfDevice {
    operator Passes() const { return {.tile_bytes = is_cpu() ? 1.0 * tile_bytes : 0.0}; }
  };
  static constexpr OfDevice passes = {};

  template <class T>
  static void scan(const T* values, T* sums, std::int64_t count, const Workers&) {
    static std::uint32_t runs = 0;
    const std::int64_t tile_size = is_cpu() ? std::int64_t{tile_bytes / sizeof(T)} : std::int64_t{Group<T>::tile_size},
                       tiles = (count + tile_size - 1) / tile_size;
    auto* const words = partial_results<unsigned long long>(tiles * Published<T>::words + 1);
    const Published<T> published = {words, ++runs};
    const Tickets tickets = {words + tiles * Published<T>::words};
    queue().memset(tickets.given, 0, sizeof *tickets.given);
    if (is_cpu())
      each_unit([=](std::int64_t, std::int64_t) {
        for (std::int64_t tile; (tile = tickets.take()) < tiles;) {
          const Range mine = {tile * tile_size, std::min(count, (tile + 1) * tile_size)};
          const T sum = sum_of(values + mine.begin, mine.size());
          const T before = tile > 0 ? published.wait_for(tile - 1) : T(0);
          published.put(tile, before + sum);
          scan_range(values, sums, mine, before);
        }
      });
    else
      queue().submit([&](::sycl::handler& handler) {
        using Of = Group<T>;
        handler.parallel_for(groups_over(std::min(tiles, 4 * units()) * group_items),
                             Of{values,
                                sums,
                                count,
                                tiles,
                                published,
                                tickets,
                                Rows<T, Of::rows + Of::of_items>(handler),
                                {::sycl::range<1>(Of::ahead * Of::vectors * group_items), handler},
                                {::sycl::range<1>(3), handler}});
      });
    wait_for_all();
  }
};

const Variant textbook = textbook_of("blocks by groups in local memory, then the blocks' sums in the same way",
                                     by<Textbook, InUsm>(start_workers));
const Variant look_back = like_for_like_of("look-back",
                                           "one kernel: tiles are taken in order, and wait for sums of preceding "
                                           "ones",
                                           by<LookBack, InUsm>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, scan::workload, {&textbook, &look_back});
}
