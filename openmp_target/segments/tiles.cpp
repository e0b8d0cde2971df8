// Tiles and pieces: a team reads as in a copy, for any length.
//
//   short    up to four values: a thread has as many segments as a vector has lanes, in registers
//   tiles    where whole segments fit in team memory: the team reads a tile of them in vectors; then `span`
//            neighbouring threads share a segment
//   pieces   for longer ones: a team has a segment, or one of the parts of few segments, and reads it in vectors; a
//            second region adds up the parts
#include <bit>
#include <numeric>

#include "common/segments/reducer.hpp"
#include "openmp_target/runtime/target_arrays.hpp"

namespace boltzmark::openmp_target {
namespace {

/// Tiles of segments of one length.
struct TilePlan {
  int length = 1, segments = 1;
  int together = 1;  ///< values of a segment that share a vector, all or one
  int left = 1;      ///< of a segment when these are added up
  int span = 1;      ///< threads of a segment
  int padded = 0;    ///< avoids bank conflicts of threads that walk along segments
};

#pragma omp begin declare target

template <class T>
struct SegmentTile {
  enum : int {
    lanes = 16 / sizeof(T),
    at_once = 8,
    banks = 32,
    bytes = Image::is_gpu ? 1 << 14 : 1 << 20,
    places = bytes / sizeof(T) / banks * (banks + 1)
  };
  using Vector = Pack<T, lanes>;
};

KERNEL_FN int place_of(const TilePlan& plan, int i) { return plan.padded ? i + i / SegmentTile<float>::banks : i; }

/// The sums of as many segments as a vector has lanes, whose values begin at `from`.
template <int length, class T>
KERNEL_FN typename SegmentTile<T>::Vector sums_of_short(const T* from) {
  constexpr int lanes = SegmentTile<T>::lanes;
  typename SegmentTile<T>::Vector read[length], sums = SegmentTile<T>::Vector::zero();
  UNROLL for (int v = 0; v < length; ++v) read[v] = vector_at<typename SegmentTile<T>::Vector>(from + v * lanes);
  UNROLL for (int i = 0; i < lanes * length; ++i) sums.raw[i / length] += read[i / lanes].raw[i % lanes];
  return sums;
}

/// Writes the rest of vector `number` of a tile to its places.
template <class T, class Vector>
KERNEL_FN void keep_vector(const TilePlan& plan, Vector vector, int number, T* tile) {
  constexpr int lanes = SegmentTile<T>::lanes;
  if (plan.together == lanes)
    tile[place_of(plan, number)] = vector.sum();
  else if (plan.padded)
    for (int l = 0; l < lanes; ++l) tile[place_of(plan, lanes * number + l)] = vector.raw[l];
  else
    set_vector(tile + lanes * number, vector);
}

/// The team reads the tile's first `count` values, and zeros after the last one. Numbers in a tile are ints: on a GPU
/// this loop is bound by its instructions.
template <class T>
KERNEL_FN void read_tile(const TilePlan& plan, const T* values, int count, T* tile) {
  using Vector = typename SegmentTile<T>::Vector;
  constexpr int lanes = SegmentTile<T>::lanes, at_once = SegmentTile<T>::at_once;
  const int of_tile = (plan.segments * plan.length + lanes - 1) / lanes, whole = count / lanes;
  const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
  for (int begin = thread; begin < whole; begin += at_once * threads) {
    Vector read[at_once];
    UNROLL for (int v = 0; v < at_once; ++v) {
      const int number = begin + v * threads;
      read[v] = number < whole ? vector_at<Vector>(values + lanes * number) : Vector::zero();
    }
    UNROLL for (int v = 0; v < at_once; ++v) if (begin + v * threads < whole)
        keep_vector(plan, read[v], begin + v * threads, tile);
  }
  for (int number = whole + thread; number < of_tile; number += threads) {
    Vector rest = Vector::zero();
    for (int l = 0; l < lanes; ++l)
      if (lanes * number + l < count) rest.raw[l] = values[lanes * number + l];
    keep_vector(plan, rest, number, tile);
  }
}

/// sums[segment] of the tile's segments, of which there are `count`.
template <class T>
KERNEL_FN void sum_tile(const TilePlan& plan, const T* tile, int count, T* sums) {
  const int side = omp_get_num_threads() / plan.span, position = omp_get_thread_num() % plan.span;
  for (int begin = 0; begin < plan.segments; begin += side) {
    const int segment = begin + omp_get_thread_num() / plan.span;
    T sum = 0;
    if (segment < plan.segments)
#pragma unroll 4
      for (int i = position; i < plan.left; i += plan.span) sum += tile[place_of(plan, segment * plan.left + i)];
    sum = combined_over_lanes<Plus>(sum, plan.span);
    if (position == 0 && segment < count) sums[segment] = sum;
  }
}

/// This thread's share of the team's values begin .. end - 1: whole vectors, and the ends around them.
template <class T>
KERNEL_FN T sum_of_share(const T* values, std::int64_t begin, std::int64_t end) {
  using Vector = typename SegmentTile<T>::Vector;
  constexpr int lanes = SegmentTile<T>::lanes, at_once = 4;
  const std::int64_t up = (begin + lanes - 1) / lanes * lanes, first = up < end ? up : end;
  const std::int64_t down = end / lanes * lanes, last = down > first ? down : first;
  const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
  T ends = 0;
  for (std::int64_t i = begin + thread; i < first; i += threads) ends += values[i];
  for (std::int64_t i = last + thread; i < end; i += threads) ends += values[i];
  Vector sums[at_once] = {Vector::zero(), Vector::zero(), Vector::zero(), Vector::zero()};
  std::int64_t i = first / lanes + thread;
  for (; i + (at_once - 1) * threads < last / lanes; i += at_once * threads)
    UNROLL for (int v = 0; v < at_once; ++v) sums[v] = sums[v] + vector_at<Vector>(values + (i + v * threads) * lanes);
#pragma unroll 4
  for (; i < last / lanes; i += threads) sums[0] = sums[0] + vector_at<Vector>(values + i * lanes);
  return ends + ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum();
}

#pragma omp end declare target

template <class T>
class Tiles : public TargetArrays<segments::Reducer, T> {
 public:
  using TargetArrays<segments::Reducer, T>::TargetArrays;

  void init(const segments::Shape& shape) override {
    constexpr std::int64_t wanted_pieces = 2112, least_piece = 4096;
    shape_ = shape;
    this->launch_over(shape.elements());  // who writes the values
    // Tiles begin at vectors' borders.
    const std::int64_t in_step = Tile::lanes / std::gcd(shape.length, std::int64_t{Tile::lanes});
    const std::int64_t bytes = this->is_gpu() ? 1 << 14 : 1 << 20, values = bytes / std::int64_t{sizeof(T)};
    const std::int64_t fit = values / shape.length / in_step * in_step;
    has_tiles_ = fit > 0;
    if (has_tiles_) plan(static_cast<int>(shape.length), static_cast<int>(fit));
    parts_of_segment_ = has_tiles_ || !this->is_gpu()
                            ? 1
                            : std::clamp<std::int64_t>(wanted_pieces / shape.segments, 1,
                                                       std::max<std::int64_t>(1, shape.length / least_piece));
    this->make_arrays(shape.elements(), shape.segments, shape.segments * parts_of_segment_);
  }

  void reduce() override {
    if (shape_.length == 1) return sum_short<1>();
    if (shape_.length == 2) return sum_short<2>();
    if (shape_.length == 3) return sum_short<3>();
    if (shape_.length == 4) return sum_short<4>();
    if (has_tiles_) return sum_tiles();
    if (parts_of_segment_ == 1)
      return sum_pieces(this->values_.data(), shape_.segments, shape_.length, 1, this->results_.data());
    sum_pieces(this->values_.data(), shape_.segments, shape_.length, parts_of_segment_, this->parts_.data());
    sum_pieces(this->parts_.data(), shape_.segments, parts_of_segment_, 1, this->results_.data());
  }

  std::int64_t part() const override { return shape_.segments; }

 private:
  using Tile = SegmentTile<T>;

  void plan(int length, int segments) {
    const int together = length % Tile::lanes == 0 ? Tile::lanes : 1, left = length / together;
    const unsigned of_segment = std::max(1, this->launch_.threads / segments);
    const int span = std::min(this->device_.properties.sum_group, static_cast<int>(std::bit_floor(of_segment)));
    plan_ = {length, segments, together, left, span, span == 1 && left % 2 == 0};
  }
  /// A processor's single team does all of them in turn.
  int teams_for(std::int64_t parts) {
    this->launch_.teams = this->is_gpu() ? static_cast<int>(std::min<std::int64_t>(parts, 1 << 30)) : 1;
    ++this->regions_;
    return this->launch_.teams;
  }

  template <int length>
  void sum_short() {
    const T* const values = this->values_.data();
    T* const sums = this->results_.data();
    const std::int64_t segments = shape_.segments, whole = segments / Tile::lanes;
    LaunchRecord* const record = this->record_.data();
    this->launch_over(std::max<std::int64_t>(1, whole));
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
#pragma omp target teams is_device_ptr(values, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      constexpr int lanes = SegmentTile<T>::lanes;
      const IndexRange range = indices_of_thread(whole);
      for (std::int64_t i = range.begin; i < range.end; i += range.stride)
        set_vector(sums + i * lanes, sums_of_short<length>(values + i * lanes * length));
      for (std::int64_t segment = whole * lanes + thread_number(); segment < segments; segment += thread_count()) {
        T sum = 0;
        for (int i = 0; i < length; ++i) sum += values[segment * length + i];
        sums[segment] = sum;
      }
    }
    ++this->regions_;
  }

  void sum_tiles() {
    const T* const values = this->values_.data();
    T* const sums = this->results_.data();
    const std::int64_t segments = shape_.segments, tiles = (segments + plan_.segments - 1) / plan_.segments;
    LaunchRecord* const record = this->record_.data();
    const int device = this->launch_.device, teams = teams_for(tiles), threads = this->launch_.threads;
    const int length = plan_.length, of_tile = plan_.segments, together = plan_.together, left = plan_.left,
              span = plan_.span, padded = plan_.padded;
#pragma omp target teams is_device_ptr(values, sums, record) device(device) num_teams(teams) thread_limit(threads)
    {
      alignas(16) static T tile[SegmentTile<T>::places];
#pragma omp allocate(tile) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        const TilePlan plan = {length, of_tile, together, left, span, padded};
        for (std::int64_t number = omp_get_team_num(); number < tiles; number += teams) {
          const std::int64_t first = number * of_tile, behind = segments - first;
          if (number >= teams) {
#pragma omp barrier
          }
          const int here = static_cast<int>(behind < of_tile ? behind : of_tile);
          read_tile(plan, values + first * length, here * length, tile);
#pragma omp barrier
          sum_tile(plan, tile, here, sums + first);
        }
      }
    }
  }

  /// sums[segment * parts + part] of each part of each segment.
  void sum_pieces(const T* values, std::int64_t segments, std::int64_t length, std::int64_t parts, T* sums) {
    LaunchRecord* const record = this->record_.data();
    const std::int64_t all_parts = segments * parts;
    const int device = this->launch_.device, teams = teams_for(all_parts), threads = this->launch_.threads;
#pragma omp target teams is_device_ptr(values, sums, record) device(device) num_teams(teams) thread_limit(threads)
    {
      static T of_groups[Image::most_groups];
#pragma omp allocate(of_groups) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        for (std::int64_t number = omp_get_team_num(); number < all_parts; number += teams) {
          const std::int64_t segment = number / parts, part = number % parts, start = segment * length;
          const T share = sum_of_share(values, start + length * part / parts, start + length * (part + 1) / parts);
          if (number >= teams) {
#pragma omp barrier
          }
          const T sum = combined_over_team<Plus>(share, of_groups);
          if (omp_get_thread_num() == 0) sums[number] = sum;
        }
      }
    }
  }

  segments::Shape shape_;
  bool has_tiles_ = false;
  TilePlan plan_;
  std::int64_t parts_of_segment_ = 1;
};

}  // namespace

extern const segments::Variant tiles = {
    .name = "tiles",
    .summary = "each team reads whole segments in vectors, then adds them up in team memory; one team per long segment",
    .make = made_of<segments::Reducer, Tiles>};

}  // namespace boltzmark::openmp_target
