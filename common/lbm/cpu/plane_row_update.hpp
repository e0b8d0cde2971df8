// The update of one row of cells in place in three dimensions (D3Q19): row_update.hpp with nine rows in place of
// three. Its layout, its two kinds of steps and its edges are those of row_update.hpp; what differs is that the
// nineteen populations of a vector leave no registers to begin the next one with, so that each vector is read
// twice, first for its moments, and that what comes next is fetched beforehand.
#pragma once

#include "common/lbm/cpu/row_update.hpp"

namespace boltzmark::lbm {

/// Where population I of vector `at` arrives from in a step that reads and writes the cells' own populations.
template <class V>
struct OwnPlanePlaces {
  static constexpr bool has_edges = false;
  template <int I, Edge>
  static KERNEL_FN std::ptrdiff_t place(const RowJob<typename V::Scalar, D3Q19>&, std::ptrdiff_t at) {
    return (at * D3Q19::directions + D3Q19::opposite[I]) * V::lanes;
  }
  template <int>
  static constexpr int row = 4;
};

/// The same in a step that reads and writes the neighbours' populations.
template <class V>
struct NeighbourPlanePlaces {
  static constexpr bool has_edges = true;
  template <int I, Edge E>
  static KERNEL_FN std::ptrdiff_t place(const RowJob<typename V::Scalar, D3Q19>& job, std::ptrdiff_t at) {
    using Edges = NeighbourPlaces<V>;
    const std::ptrdiff_t round = job.vectors - 1;
    if constexpr (D3Q19::cx[I] > 0) at += Edges::template at_west<E> ? round : -1;
    if constexpr (D3Q19::cx[I] < 0) at += Edges::template at_east<E> ? -round : 1;
    return (at * D3Q19::directions + I) * V::lanes;
  }
  template <int I>
  static constexpr int row = (1 - D3Q19::cz[I]) * 3 + (1 - D3Q19::cy[I]);
};

template <class V, template <class> class Places, bool Accelerate>
class PlaneRowUpdater {
  using T = typename V::Scalar;
  using L = D3Q19;
  using Directions = std::make_integer_sequence<int, L::directions>;

 public:
  KERNEL_FN PlaneRowUpdater(const RowJob<T, L>& job, const Relaxation<T, L>& c) : job_(job), c_(c) {}

  KERNEL_FN double update() {
    const std::int32_t last = job_.vectors - 1;
    if constexpr (!Places<V>::has_edges) {
      update_to(job_.vectors);
    } else if (last == 0) {
      update_vector<Edge::both, true>();
    } else {
      update_vector<Edge::west, true>();
      update_to(last);
      update_vector<Edge::east, true>();
    }
    return total_ + static_cast<double>(speeds_.sum());
  }

 private:
  template <Edge E>
  KERNEL_FN Populations<V, L> load() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return Populations<V, L>{{arrived<I, E>(V::load(place<I, E>()))...}};
    }
    (Directions{});
  }
  template <Edge E>
  KERNEL_FN void store(const Populations<V, L>& out) const {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (leaving<I, E>(out.f[L::opposite[I]]).store(place<I, E>()), ...);
    }
    (Directions{});
  }
  template <int I, Edge E>
  KERNEL_FN T* place() const {
    return job_.rows[Places<V>::template row<I>] + Places<V>::template place<I, E>(job_, at_);
  }
  template <int I, Edge E>
  static KERNEL_FN V arrived(V value) {
    if constexpr (Places<V>::has_edges && L::cx[I] > 0 && NeighbourPlaces<V>::template at_west<E>)
      return value.rotated_up();
    if constexpr (Places<V>::has_edges && L::cx[I] < 0 && NeighbourPlaces<V>::template at_east<E>)
      return value.rotated_down();
    return value;
  }
  template <int I, Edge E>
  static KERNEL_FN V leaving(V value) {
    if constexpr (Places<V>::has_edges && L::cx[I] > 0 && NeighbourPlaces<V>::template at_west<E>)
      return value.rotated_down();
    if constexpr (Places<V>::has_edges && L::cx[I] < 0 && NeighbourPlaces<V>::template at_east<E>)
      return value.rotated_up();
    return value;
  }

  /// The same vector of the next row, and a part of a later plane's row.
  KERNEL_FN void prefetch() const {
    if (job_.next_row != 0) {
      [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        (__builtin_prefetch(place<I, Edge::none>() + job_.next_row, 1, 3), ...);
      }
      (Directions{});
    }
    const char* far = job_.far + std::ptrdiff_t{64} * at_ * job_.far_lines;
    for (int line = 0; line < job_.far_lines; ++line, far += 64) __builtin_prefetch(far, 0, 2);
  }

  /// Vectors up to `end`, none of them at the row's ends: no masks where there are no obstacles.
  KERNEL_FN void update_to(std::int32_t end) {
    for (const std::int32_t* stretch = job_.stretches; at_ < end; stretch += 2) {
      for (const std::int32_t free = std::min(end, stretch[0]); at_ < free;)
        update_vector<Edge::none, false>();
      for (const std::int32_t mixed = std::min(end, stretch[1]); at_ < mixed;)
        update_vector<Edge::none, true>();
    }
  }

  /// Mixed: it may have obstacles.
  template <Edge E, bool Mixed>
  KERNEL_FN void update_vector() {
    prefetch();
    const Moments<V, L> m = moments_of(load<E>(), c_);
    read_again();
    const std::uint32_t bits = Mixed ? job_.solid[at_] : 0;
    store<E>(
        update_cell(load<E>(), m, V::mask_from_bits(bits), Mixed && bits != 0, Accelerate, c_, &speeds_));
    if (++at_ % most_speeds_a_lane == 0) [[unlikely]]
      total_ += static_cast<double>(std::exchange(speeds_, V::zero()).sum());
  }

  /// The compiler keeps nothing of memory that it has read before: to load it a second time is cheaper than to have
  /// more values than there are registers.
  static KERNEL_FN void read_again() {
#if defined(__GNUC__)
    asm volatile("" ::: "memory");
#endif
  }

  const RowJob<T, L>& job_;
  const Relaxation<T, L> c_;
  std::int32_t at_ = 0;
  V speeds_ = V::zero();
  double total_ = 0.0;
};

template <class InstructionSet, class V, template <class> class Places, bool Accelerate>
double update_plane_row(const RowJob<typename V::Scalar, D3Q19>& job,
                        const Relaxation<typename V::Scalar, D3Q19>& c) {
  return PlaneRowUpdater<V, Places, Accelerate>(job, c).update();
}

/// As kernels_of() of row_update.hpp.
template <class InstructionSet, class V>
constexpr RowKernels<typename V::Scalar, D3Q19> plane_kernels_of() {
  return {InstructionSet::name,
          V::lanes,
          InstructionSet::runs_here,
          {update_plane_row<InstructionSet, V, NeighbourPlanePlaces, false>,
           update_plane_row<InstructionSet, V, NeighbourPlanePlaces, true>},
          {update_plane_row<InstructionSet, V, OwnPlanePlaces, false>,
           update_plane_row<InstructionSet, V, OwnPlanePlaces, true>}};
}

}  // namespace boltzmark::lbm
