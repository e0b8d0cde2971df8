// scan-sycl: prefix sums in SYCL. SYCL itself has them only for the items of a group (joint_inclusive_scan), and
// AdaptiveCpp's generic kernels do not have even those, so they are computed here in local memory.
#include "sycl/on_queue.hpp"

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace scan;

/// Numbers in local memory in rows of 16, which begin in banks of their own.
template <class T>
struct Rows {
  ::sycl::local_accessor<T, 1> numbers;
  Rows(int count, ::sycl::handler& handler) : numbers(::sycl::range<1>(count + count / row_items), handler) {}
  KERNEL_FN T& at(int row, int column) const { return numbers[row * (row_items + 1) + column]; }
  KERNEL_FN T& operator[](int number) const { return at(number / row_items, number % row_items); }
};

/// of_items[me] becomes the sum of of_items[0 .. me] in a group: an item scans a row, and all add what is before theirs.
template <class T>
void scan_group(const ::sycl::nd_item<1>& item, const Rows<T>& of_items, int me) {
  ::sycl::group_barrier(item.get_group());
  if (me < row_items) {
    T sum = 0;
#pragma unroll
    for (int i = 0; i < row_items; ++i) of_items.at(me, i) = sum += of_items.at(me, i);
  }
  ::sycl::group_barrier(item.get_group());
  T before = 0;
#pragma unroll
  for (int row = 0; row < row_items - 1; ++row) before += row < me / row_items ? of_items.at(row, row_items - 1) : T(0);
  ::sycl::group_barrier(item.get_group());
  of_items[me] += before;
  ::sycl::group_barrier(item.get_group());
}

/// Textbook: groups scan blocks of their size, then the sums of the blocks are scanned in the same way, and each
/// block's elements get what is before it.
struct Textbook {
  static constexpr Passes passes = adds_after;

  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    std::int64_t all = 0, count = elements;
    do all += count = blocks_of(count);
    while (count > 1);
    scan_blocks(values, sums, elements, partial_results<T>(all));
    queue().wait_and_throw();
  }

  static std::int64_t blocks_of(std::int64_t count) { return (count + group_items - 1) / group_items; }

  /// of_blocks: for the sums of blocks, then of blocks of these, ...
  template <class T>
  static void scan_blocks(const T* values, T* sums, std::int64_t count, T* of_blocks) {
    queue().submit([&](::sycl::handler& handler) {
      const Rows<T> of_items(group_items, handler);
      handler.parallel_for(groups_over(count), [=](::sycl::nd_item<1> item) {
        const auto me = static_cast<int>(item.get_local_linear_id());
        const auto i = static_cast<std::int64_t>(item.get_global_linear_id());
        of_items[me] = i < count ? values[i] : T(0);
        scan_group(item, of_items, me);
        if (i < count) sums[i] = of_items[me];
        if (me == group_items - 1) of_blocks[item.get_group_linear_id()] = of_items[me];
      });
    });
    if (count <= group_items) return;
    scan_blocks(of_blocks, of_blocks, blocks_of(count), of_blocks + blocks_of(count));
    each(count - group_items,
         [=](std::int64_t i) { sums[i + group_items] += of_blocks[i / group_items]; });  // the first block has no other
  }
};

/// What is known of a tile: words with a half of a value, and above it a tag, so that neither fences nor clearing are
/// needed. Volatile, as whole words come and go on every device: for generic kernels of GPUs AdaptiveCpp's atomic load()
/// is a plain one, which compilers take out of a loop, and a fence goes with its store().
enum Known : std::uint32_t { nothing, its_sum, its_prefix };
template <class T>
struct Published {
  enum : int { words = sizeof(T) / 4 };

  static void put(unsigned long long* to, std::uint32_t tag, T value) {
    std::uint32_t halves[words];
    __builtin_memcpy(halves, &value, sizeof value);
    volatile unsigned long long* const there = to;
    for (int i = 0; i < words; ++i) there[i] = static_cast<unsigned long long>(tag) << 32 | halves[i];
  }
  /// Waits for a value of this run.
  static Known wait_for(const unsigned long long* from, std::uint32_t run, T& value) {
    const volatile unsigned long long* const there = from;
    for (;;) {
      std::uint32_t halves[words], tags[words];
      for (int i = 0; i < words; ++i) {
        const unsigned long long word = there[i];
        halves[i] = static_cast<std::uint32_t>(word);
        tags[i] = static_cast<std::uint32_t>(word >> 32) - 4 * run;
      }
      if (tags[0] != tags[words - 1] || (tags[0] != its_sum && tags[0] != its_prefix)) continue;
      __builtin_memcpy(&value, halves, sizeof value);
      return static_cast<Known>(tags[0]);
    }
  }
};

/// Sums of tiles one before the other, back to the first prefix among them.
template <class T>
struct Before {
  T sum = 0;
  bool is_whole = false;
  void take(const Before& farther) {
    if (!is_whole) sum += farther.sum;
    is_whole |= farther.is_whole;
  }
};

/// Look-back: values are read and sums written once (Merrill and Garland 2016). Tiles are taken by tickets, so that all
/// before one have begun, too. A unit of a processor has each tile in its caches, and waits for the prefix of the one
/// before it. A group of a GPU has a tile in local memory, and its items look back at many at once. SYCL promises no
/// group that others go on while it waits; where it has begun, implementations keep it going.
struct LookBack {
  static constexpr int each_item = row_items, of_group = group_items * each_item;
  struct OfDevice {
    operator Passes() const { return {.tile_bytes = is_cpu() ? 1.0 * tile_bytes : 0.0}; }
  };
  static constexpr OfDevice passes = {};

  template <class T>
  static void scan(const T* values, T* sums, std::int64_t count, const Workers&) {
    static std::uint32_t runs = 0;
    const std::uint32_t run = ++runs;
    const std::int64_t tile_size = is_cpu() ? std::int64_t{tile_bytes / sizeof(T)} : std::int64_t{of_group},
                       tiles = (count + tile_size - 1) / tile_size;
    auto* const words = partial_results<unsigned long long>(tiles * Published<T>::words + 1);
    unsigned long long* const tickets = words + tiles * Published<T>::words;
    using Tickets = ::sycl::atomic_ref<unsigned long long, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device,
                                       ::sycl::access::address_space::global_space>;
    queue().memset(tickets, 0, sizeof *tickets);
    if (is_cpu())
      each_unit([=](std::int64_t, std::int64_t) {
        for (std::int64_t tile; (tile = static_cast<std::int64_t>(Tickets(*tickets).fetch_add(1ull))) < tiles;) {
          const Range mine = {tile * tile_size, std::min(count, (tile + 1) * tile_size)};
          const T sum = sum_of(values + mine.begin, mine.size());
          T before = 0;
          if (tile > 0) Published<T>::wait_for(words + (tile - 1) * Published<T>::words, run, before);
          Published<T>::put(words + tile * Published<T>::words, 4 * run + its_prefix, before + sum);
          scan_range(values, sums, mine, before);
        }
      });
    else
      queue().submit([&](::sycl::handler& handler) {
        const Rows<T> tile(of_group, handler), of_items(group_items, handler);
        const ::sycl::local_accessor<Before<T>, 1> looked_at(::sycl::range<1>(group_items), handler);
        const ::sycl::local_accessor<std::int64_t, 1> ticket(::sycl::range<1>(1), handler);
        handler.parallel_for(groups_over(tiles * group_items), [=](::sycl::nd_item<1> item) {
          const auto me = static_cast<int>(item.get_local_linear_id());
          const auto group = item.get_group();
          if (me == 0) ticket[0] = static_cast<std::int64_t>(Tickets(*tickets).fetch_add(1ull));
          ::sycl::group_barrier(group);
          const std::int64_t number = ticket[0], first = number * of_group;
          const T* const from = values + first;
          T* const to = sums + first;
          const int here = static_cast<int>(std::min<std::int64_t>(of_group, count - first));
          // Neighbours read neighbouring values, and then have some in a row.
          T mine[each_item];
          const auto read = [&](bool all) {
#pragma unroll
            for (int i = 0; i < each_item; ++i) {
              const int at = me + i * group_items;
              mine[i] = all || at < here ? from[at] : T(0);
            }
          };
          here == of_group ? read(true) : read(false);
#pragma unroll
          for (int i = 0; i < each_item; ++i) tile.at(me / row_items + i * row_items, me % row_items) = mine[i];
          ::sycl::group_barrier(group);
#pragma unroll
          for (int i = 0; i < each_item; ++i) mine[i] = tile.at(me, i);
#pragma unroll
          for (int i = 1; i < each_item; ++i) mine[i] += mine[i - 1];
          of_items[me] = mine[each_item - 1];
          scan_group(item, of_items, me);
          const T of_tile = of_items[group_items - 1];
          unsigned long long* const place_of_it = words + number * Published<T>::words;
          if (me == 0) Published<T>::put(place_of_it, 4 * run + (number > 0 ? its_sum : its_prefix), of_tile);
          // Each item looks at a tile, the first at the nearest.
          Before<T> before;
          for (std::int64_t nearest = number - 1; nearest >= 0 && !before.is_whole; nearest -= group_items) {
            Before<T> seen = {T(0), true};
            if (nearest >= me)
              seen.is_whole =
                  Published<T>::wait_for(words + (nearest - me) * Published<T>::words, run, seen.sum) == its_prefix;
            looked_at[transposed(me)] = seen;
            join_in_group(item, looked_at, [](Before<T>& all, const Before<T>& farther) { all.take(farther); });
            ::sycl::group_barrier(group);
            before.take(looked_at[0]);
            ::sycl::group_barrier(group);
          }
          if (me == 0 && number > 0) Published<T>::put(place_of_it, 4 * run + its_prefix, before.sum + of_tile);
          const T before_mine = me > 0 ? before.sum + of_items[me - 1] : before.sum;
#pragma unroll
          for (int i = 0; i < each_item; ++i) tile.at(me, i) = mine[i] + before_mine;
          ::sycl::group_barrier(group);
          const auto write = [&](bool all) {
#pragma unroll
            for (int i = 0; i < each_item; ++i) {
              const int at = me + i * group_items;
              if (all || at < here) to[at] = tile.at(me / row_items + i * row_items, me % row_items);
            }
          };
          here == of_group ? write(true) : write(false);
        });
      });
    queue().wait_and_throw();
  }
};

const Variant textbook = textbook_of("blocks by groups in local memory, then the blocks' sums in the same way",
                                     by<Textbook, InUsm>(start_workers));
const Variant look_back = like_for_like_of("look-back",
                                           "one kernel: groups take tiles in order and look back at "
                                           "preceding ones",
                                           by<LookBack, InUsm>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, scan::workload, {&textbook, &look_back});
}
