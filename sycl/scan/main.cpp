// scan-sycl: prefix sums in SYCL. It has them for the items of a group alone (joint_inclusive_scan), and generic kernels
// of AdaptiveCpp not even those: here they are in local memory.
#include "sycl/on_queue.hpp"

#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace scan;

template <class T>
struct OnDevice : OnQueue<HostScanner<T>> {
  void init(std::int64_t elements) override {
    HostScanner<T>::init(elements);
    from_ = {this->values_.data(), elements};
    to_ = {this->sums_.data(), elements};
  }
  void spoil() override {
    HostScanner<T>::spoil();
    if (to_.host) to_.upload();  // not within init()
  }
  void collect() override { to_.download(); }

  InUsm<T> from_, to_;
};

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

/// Textbook: groups scan blocks of their size, then the sums of the blocks are scanned in the same way, and each block's
/// elements get what is before it.
template <class T>
struct Textbook : OnDevice<T> {
  void init(std::int64_t elements) override {
    OnDevice<T>::init(elements);
    blocks_.clear();
    for (std::int64_t count = elements; count > 1; count = blocks_of(count)) blocks_.emplace_back(blocks_of(count));
  }
  void scan() override {
    scan_blocks(this->from_.data(), this->to_.data(), this->part(), 0);
    queue().wait_and_throw();
  }
  Passes passes() const override { return adds_after; }

  static std::int64_t blocks_of(std::int64_t count) { return (count + group_items - 1) / group_items; }

  void scan_blocks(const T* values, T* sums, std::int64_t count, std::size_t level) {
    T* const of_blocks = level < blocks_.size() ? blocks_[level].data() : nullptr;
    queue().submit([&](::sycl::handler& handler) {
      const ::sycl::local_accessor<T, 1> of_items(::sycl::range<1>(group_items), handler);
      handler.parallel_for(groups_over(count), [=](::sycl::nd_item<1> item) {
        const auto me = static_cast<int>(item.get_local_linear_id());
        const auto i = static_cast<std::int64_t>(item.get_global_linear_id());
        of_items[me] = i < count ? values[i] : T(0);
        scan_group(item, of_items, me);
        if (i < count) sums[i] = of_items[me];
        if (of_blocks && me == group_items - 1) of_blocks[item.get_group_linear_id()] = of_items[me];
      });
    });
    if (count <= group_items) return;
    scan_blocks(of_blocks, of_blocks, blocks_of(count), level + 1);
    each(count - group_items,
         [=](std::int64_t i) { sums[i + group_items] += of_blocks[i / group_items]; });  // the first block has no other
  }

  std::vector<Usm<T>> blocks_;  ///< sums of blocks, of blocks of these, ...
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
template <class T>
struct LookBack : OnDevice<T> {
  static constexpr int each_item = 16, padded = each_item + 1, window = 32, of_group = group_items * each_item;

  void init(std::int64_t elements) override {
    OnDevice<T>::init(elements);
    tile_ = is_cpu() ? (256 << 10) / sizeof(T) : std::int64_t{of_group};
    tiles_ = (elements + tile_ - 1) / tile_;
    words_ = Usm<unsigned long long>(tiles_ * Published<T>::words + 1);
    queue().memset(words_.data(), 0, sizeof(unsigned long long) * words_.size()).wait_and_throw();
    run_ = 0;
  }
  void scan() override {
    ++run_;
    const T* const values = this->from_.data();
    T* const sums = this->to_.data();
    const std::int64_t count = this->part(), tile_size = tile_, tiles = tiles_;
    unsigned long long *const words = words_.data(), *const tickets = words + tiles * Published<T>::words;
    using Word = typename Published<T>::Word;
    const std::uint32_t run = run_;
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
  Passes passes() const override {
    return is_cpu() ? Passes{.tile_bytes = static_cast<double>(units()) * (256 << 10)} : Passes{};
  }

  std::int64_t tile_ = 0, tiles_ = 0;
  std::uint32_t run_ = 0;
  Usm<unsigned long long> words_;  ///< of tiles, then the ticket
};

const Variant textbook = textbook_of<Scanner, Textbook>("blocks by groups in local memory, and the blocks' sums alike");
const Variant look_back =
    like_for_like_of<Scanner, LookBack>("look-back", "one kernel: tiles by tickets, which look back at those before");

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark::by_sycl;
  return run_on_queue(argc, argv, std::vector{textbook, look_back});
}
