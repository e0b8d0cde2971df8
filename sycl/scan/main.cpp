// scan-sycl: prefix sums in SYCL. It has them for the items of a group alone (joint_inclusive_scan), and generic
// kernels of AdaptiveCpp not even those: here they are in local memory.
#include "sycl/on_queue.hpp"

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace scan;

/// of_items[me] becomes the sum of of_items[0 .. me] in a group of so many: each step adds the sum as far back again.
template <class T>
void scan_group(const ::sycl::nd_item<1>& item, const ::sycl::local_accessor<T, 1>& of_items, int me) {
  for (int apart = 1; apart < group_items; apart *= 2) {
    ::sycl::group_barrier(item.get_group());
    const T before = me >= apart ? of_items[me - apart] : T(0);
    ::sycl::group_barrier(item.get_group());
    of_items[me] += before;
  }
  ::sycl::group_barrier(item.get_group());
}

/// Textbook: groups scan blocks of their size, then the sums of the blocks are scanned in the same way, and each
/// block's elements get what is before it.
struct Textbook {
  static constexpr Passes passes = adds_after;
  static Settings settings() { return on_device({}).settings; }

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
      const ::sycl::local_accessor<T, 1> of_items(::sycl::range<1>(group_items), handler);
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
/// needed.
enum Known : std::uint32_t { nothing, its_sum, its_prefix };
template <class T>
struct Published {
  enum : int { words = sizeof(T) / 4 };
  using Word = ::sycl::atomic_ref<unsigned long long, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device,
                                  ::sycl::access::address_space::global_space>;

  static void put(unsigned long long* to, std::uint32_t tag, T value) {
    std::uint32_t halves[words];
    __builtin_memcpy(halves, &value, sizeof value);
    for (int i = 0; i < words; ++i) Word(to[i]).store(static_cast<unsigned long long>(tag) << 32 | halves[i]);
  }
  /// Waits for a value of this run. By additions: for generic kernels AdaptiveCpp's load() is a plain one, which
  /// compilers take out of the loop.
  static Known wait_for(unsigned long long* from, std::uint32_t run, T& value) {
    for (;;) {
      std::uint32_t halves[words], tags[words];
      for (int i = 0; i < words; ++i) {
        const unsigned long long word = Word(from[i]).fetch_add(0ull);
        halves[i] = static_cast<std::uint32_t>(word);
        tags[i] = static_cast<std::uint32_t>(word >> 32) - 4 * run;
      }
      if (tags[0] != tags[words - 1] || (tags[0] != its_sum && tags[0] != its_prefix)) continue;
      __builtin_memcpy(&value, halves, sizeof value);
      return static_cast<Known>(tags[0]);
    }
  }
};

/// Look-back: values are read and sums written once (Merrill and Garland 2016). Tiles are taken by tickets, so that all
/// before one have begun, too. A unit of a processor has each tile in its caches, and waits for the prefix of the one
/// before it. A group of a GPU has a tile in local memory, and its items look back at many at once. SYCL promises no
/// group that others go on while it waits; where it has begun, implementations keep it going.
struct LookBack {
  static constexpr int each_item = 16, padded = each_item + 1, window = 32, of_group = group_items * each_item;
  struct OfDevice {
    operator Passes() const { return {.tile_bytes = is_cpu() ? 1.0 * tile_bytes : 0.0}; }
  };
  static constexpr OfDevice passes = {};
  static Settings settings() { return on_device({}).settings; }

  template <class T>
  static void scan(const T* values, T* sums, std::int64_t count, const Workers&) {
    static std::uint32_t runs = 0;
    const std::uint32_t run = ++runs;
    const std::int64_t tile_size = is_cpu() ? std::int64_t{tile_bytes / sizeof(T)} : std::int64_t{of_group},
                       tiles = (count + tile_size - 1) / tile_size;
    auto* const words = partial_results<unsigned long long>(tiles * Published<T>::words + 1);
    unsigned long long* const tickets = words + tiles * Published<T>::words;
    using Word = typename Published<T>::Word;
    queue().memset(tickets, 0, sizeof *tickets);
    if (is_cpu())
      each_unit([=](std::int64_t, std::int64_t) {
        for (std::int64_t tile; (tile = static_cast<std::int64_t>(Word(*tickets).fetch_add(1ull))) < tiles;) {
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
        const ::sycl::local_accessor<T, 1> tile(::sycl::range<1>(group_items * padded), handler),
            of_items(::sycl::range<1>(group_items), handler), looked_at(::sycl::range<1>(window), handler);
        const ::sycl::local_accessor<std::uint32_t, 1> known(::sycl::range<1>(window + 1), handler);
        handler.parallel_for(groups_over(tiles * group_items), [=](::sycl::nd_item<1> item) {
          const auto me = static_cast<int>(item.get_local_linear_id());
          const auto group = item.get_group();
          if (me == 0) known[window] = static_cast<std::uint32_t>(Word(*tickets).fetch_add(1ull));
          ::sycl::group_barrier(group);
          const std::int64_t number = known[window], first = number * of_group;
          // Neighbours read neighbouring values, and then have some in a row.
          for (int i = me; i < of_group; i += group_items)
            tile[i / each_item * padded + i % each_item] = first + i < count ? values[first + i] : T(0);
          ::sycl::group_barrier(group);
          T mine[each_item];
#pragma unroll
          for (int i = 0; i < each_item; ++i) mine[i] = tile[me * padded + i];
#pragma unroll
          for (int i = 1; i < each_item; ++i) mine[i] += mine[i - 1];
          of_items[me] = mine[each_item - 1];
          scan_group(item, of_items, me);
          const T of_tile = of_items[group_items - 1];
          unsigned long long* const place = words + number * Published<T>::words;
          if (me == 0) Published<T>::put(place, 4 * run + (number > 0 ? its_sum : its_prefix), of_tile);
          T before = 0;
          for (std::int64_t nearest = number - 1; nearest >= 0; nearest -= window) {
            if (me < window) {
              T value = 0;
              known[me] = its_prefix;
              if (nearest >= me)
                known[me] = Published<T>::wait_for(words + (nearest - me) * Published<T>::words, run, value);
              looked_at[me] = value;
            }
            ::sycl::group_barrier(group);
            bool is_whole = false;
            for (int other = 0; other < window && !is_whole; ++other) {
              before += looked_at[other];
              is_whole = known[other] == its_prefix;
            }
            ::sycl::group_barrier(group);
            if (is_whole) break;
          }
          if (me == 0 && number > 0) Published<T>::put(place, 4 * run + its_prefix, before + of_tile);
          if (me > 0) before += of_items[me - 1];
#pragma unroll
          for (int i = 0; i < each_item; ++i) tile[me * padded + i] = mine[i] + before;
          ::sycl::group_barrier(group);
          for (int i = me; i < of_group; i += group_items)
            if (first + i < count) sums[first + i] = tile[i / each_item * padded + i % each_item];
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
