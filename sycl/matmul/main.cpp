// matmul-sycl: matrix multiplication in SYCL.
#include "sycl/on_queue.hpp"

#include <fmt/core.h>

#include "common/matmul/cpu/packed.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace matmul;

template <class T>
struct OnDevice {
  void init(Matrices<T>& of, const Workers&) {
    of_a = {of.a.data(), of.shape.m * of.shape.k};
    of_b = {of.b.data(), of.shape.k * of.shape.n};
    of_c = {of.c.data(), of.shape.m * of.shape.n};
  }
  void upload() { of_c.upload(); }
  void download() { of_c.download(); }

  InUsm<T> of_a, of_b, of_c;
};

/// Textbook: the definition, an item an element.
template <class T>
struct Textbook : OnDevice<T> {
  void multiply(Matrices<T>& of, const Workers&) {
    const std::int64_t n = of.shape.n, depth = of.shape.k;
    const T *const a = this->of_a.data(), *const b = this->of_b.data();
    T* const c = this->of_c.data();
    const ::sycl::range<2> all(static_cast<std::size_t>(of.shape.m), static_cast<std::size_t>(n));
    queue().parallel_for(all, [=](::sycl::id<2> element) {
      const auto i = static_cast<std::int64_t>(element[0]), j = static_cast<std::int64_t>(element[1]);
      T sum = 0;
      for (std::int64_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
      c[i * n + j] = sum;
    });
    wait_for_all();
  }
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_without_reuse(), .traffic = of.traffic(workers).sets()};
  }
};

/// Blocked: a group of a GPU has a block of C, of which each item has eight rows and columns in registers; blocks of A
/// and B go through local memory. A unit of a processor multiplies its rows in packed panels
/// (common/matmul/cpu/packed.hpp): items of different groups have no barrier, so that each packs B for itself.
template <class T>
struct Blocked : OnDevice<T> {
  static constexpr int side = 128, depth_at_once = 8, across = 16, each_item = side / across,
                       loads = side * depth_at_once / group_items;
  static constexpr int lanes = 16 / sizeof(T), vectors = each_item / lanes, a_pitch = side + 4;  // no bank twice
  using Vector = typename Pack<T, lanes>::Raw;
  using Panels = Packed<T, native_lanes<T>>;

  void init(Matrices<T>& of, const Workers& workers) {
    OnDevice<T>::init(of, workers);
    panels.clear();
    const auto [m, n, k] = of.shape;
    const std::int64_t parts = is_cpu() ? std::min(units(), m) : 1;
    for (std::int64_t part = 0; part < parts; ++part) panels.emplace_back(Shape{(m + parts - 1) / parts, n, k}, 1);
  }
  void multiply(Matrices<T>& of, const Workers&) {
    const auto [m, n, k] = of.shape;
    const T *const a = this->of_a.data(), *const b = this->of_b.data();
    T* const c = this->of_c.data();
    if (is_cpu()) {
      each_part(parts(), [=, m = m, n = n, k = k, of_parts = panels.data(), all = parts()](std::int64_t me) {
        const Range rows = part_of(m, me, all);
        of_parts[me].multiply({{rows.size(), n, k}, a + rows.begin * k, k, b, n, c + rows.begin * n, n}, false, 0,
                              [] {});
      });
    } else {
      const std::int64_t blocks_across = (n + side - 1) / side, blocks = (m + side - 1) / side * blocks_across;
      queue().submit([&, m = m, n = n, k = k](::sycl::handler& handler) {
        const ::sycl::local_accessor<T, 1> blocks_of_a(::sycl::range<1>(2 * a_pitch * depth_at_once), handler),
            blocks_of_b(::sycl::range<1>(2 * side * depth_at_once), handler);
        handler.parallel_for(groups_over(blocks * group_items), [=](::sycl::nd_item<1> item) {
          const auto me = static_cast<int>(item.get_local_linear_id()), x = me % across, y = me / across;
          const auto block = static_cast<std::int64_t>(item.get_group_linear_id());
          const std::int64_t row = block / blocks_across * side, column = block % blocks_across * side;
          // An item's share of a block: one column of A from some rows, one column of B. Rows and columns behind the
          // last one are copies of it, whose sums are not stored.
          const int of_k = me % depth_at_once, a_row = me / depth_at_once, b_column = me % side, b_k = me / side;
          constexpr int a_rows = group_items / depth_at_once, b_ks = group_items / side;
          const T *from_a[loads], *const from_b = b + std::min(column + b_column, n - 1);
#pragma unroll
          for (int l = 0; l < loads; ++l) from_a[l] = a + std::min(row + a_row + l * a_rows, m - 1) * k;
          T next_a[loads], next_b[loads];
          Vector sums[each_item][vectors] = {};
          const auto load = [&](std::int64_t first) {
#pragma unroll
            for (int l = 0; l < loads; ++l) {
              const T value = from_a[l][std::min(first + of_k, k - 1)];
              next_a[l] = first + of_k < k ? value : T(0);
              next_b[l] = from_b[std::min(first + b_k + l * b_ks, k - 1) * n];
            }
          };
          load(0);
          for (std::int64_t first = 0, at = 0; first < k; first += depth_at_once, at = 1 - at) {
            T *const block_of_a = &blocks_of_a[at * a_pitch * depth_at_once],
                     *const block_of_b = &blocks_of_b[at * side * depth_at_once];
#pragma unroll
            for (int l = 0; l < loads; ++l) {
              block_of_a[of_k * a_pitch + a_row + l * a_rows] = next_a[l];
              block_of_b[me + l * group_items] = next_b[l];
            }
            ::sycl::group_barrier(item.get_group());  // the blocks before the last ones are no longer read, too
            load(first + depth_at_once);              // meanwhile
#pragma unroll
            for (int d = 0; d < depth_at_once; ++d) {
              Vector column_of_a[vectors], row_of_b[vectors];
#pragma unroll
              for (int v = 0; v < vectors; ++v) {
                column_of_a[v] = *reinterpret_cast<const Vector*>(block_of_a + d * a_pitch + place(y, v * lanes));
                row_of_b[v] = *reinterpret_cast<const Vector*>(block_of_b + d * side + place(x, v * lanes));
              }
#pragma unroll
              for (int r = 0; r < each_item; ++r)
#pragma unroll
                for (int v = 0; v < vectors; ++v) sums[r][v] += column_of_a[r / lanes][r % lanes] * row_of_b[v];
            }
          }
#pragma unroll
          for (int r = 0; r < each_item; ++r)
#pragma unroll
            for (int s = 0; s < each_item; ++s)
              if (row + place(y, r) < m && column + place(x, s) < n)
                c[(row + place(y, r)) * n + column + place(x, s)] = sums[r][s / lanes][s % lanes];
        });
      });
    }
    wait_for_all();
  }
  /// Number `i` of an item's rows or columns, as many beside each other as a vector of local memory has.
  static constexpr int place(int item, int i) { return i / lanes * (across * lanes) + item * lanes + i % lanes; }

  int parts() const { return static_cast<int>(panels.size()); }
  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    ProductTraffic traffic = of.traffic(workers);
    if (is_cpu())
      return {.bytes_per_update = Panels::bytes_per_element(of.shape, panels[0].blocks()),
              .traffic = panels[0].add_traffic(traffic, parts(), parts()).sets(),
              .settings = panels[0].settings()};
    traffic.groups({side, side, depth_at_once}, static_cast<int>(units()));
    return {.bytes_per_update = (2.0 * static_cast<double>(of.shape.k) / side + 1.0) * sizeof(T),
            .traffic = traffic.sets(),
            .settings = {{"tile", fmt::format("{0}x{0}", each_item)},
                         {"block", fmt::format("{0}x{0}x{1}", side, depth_at_once)}}};
  }

  std::vector<Panels> panels;
};

const Variant textbook =
    textbook_of("the definition of the product, a parallel_for over C", by<Textbook>(start_workers));
const Variant blocked = like_for_like_of(
    "blocked", "tiles of C in registers; blocks of A and B in local memory on a GPU, packed panels on a processor",
    by<Blocked>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, matmul::workload, {&textbook, &blocked});
}
