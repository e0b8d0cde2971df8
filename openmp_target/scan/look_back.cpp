// Look-back: one region, every value read from memory once and every sum written once (Merrill and Garland,
// "Single-pass parallel prefix scan with decoupled look-back", 2016).
//
//     tile = ticket, so that all tiles before it have begun too, and will end
//     scan my values in registers;   publish the sum of the tile;   begin to read those of my next tile
//     look back: add up the sums of tiles before mine, as far as one whose prefix is known;   publish my prefix
//     write my sums
//
// A group of neighbouring threads (a warp) has consecutive vectors, scanned across its lanes by shuffles; the team
// meets to add up what its groups have. Sums of tiles travel in words that carry the number of the run and what they
// are, so that they need neither fences nor clearing. A processor's tiles are longer: its one team meets less often.
#include "common/scan/scanner.hpp"
#include "openmp_target/runtime/target_arrays.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

template <class T>
struct ScanTile {
  enum : int { lanes = 16 / sizeof(T), vectors = Image::is_gpu ? 4 : 4096, unrolled = 4 };
  using Vector = Pack<T, lanes>;
};

/// The known state of a tile.
enum Known : std::uint32_t { nothing, its_sum, its_prefix };

/// Halves of a value, a word each, with a tag above.
template <class T>
struct Published {
  enum : int { words = sizeof(T) / 4 };

  static KERNEL_FN void put(std::uint64_t* to, std::uint32_t tag, T value) {
    std::uint32_t halves[words];
    __builtin_memcpy(halves, &value, sizeof value);
    for (int i = 0; i < words; ++i) store_word(to + i, std::uint64_t{tag} << 32 | halves[i]);
  }
  /// Waits for a value of this run.
  static KERNEL_FN Known wait_for(const std::uint64_t* from, std::uint32_t run, T& value) {
    for (;;) {
      std::uint32_t halves[words], tags[words];
      for (int i = 0; i < words; ++i) {
        const std::uint64_t word = load_word(from + i);
        halves[i] = static_cast<std::uint32_t>(word);
        tags[i] = static_cast<std::uint32_t>(word >> 32) - 4 * run;
      }
      if (tags[0] != tags[words - 1] || (tags[0] != its_sum && tags[0] != its_prefix)) continue;
      __builtin_memcpy(&value, halves, sizeof value);
      return static_cast<Known>(tags[0]);
    }
  }
};

/// The sum of all tiles before `tile`; called by a team's first group together.
template <class T>
KERNEL_FN T sum_before(const std::uint64_t* words, std::int64_t tile, std::uint32_t run) {
  T before = 0;
  for (std::int64_t nearest = tile - 1; nearest >= 0; nearest -= Image::sum_group) {
    const std::int64_t other = nearest - lane_number();
    T value = 0;
    const Known known =
        other < 0 ? its_prefix : Published<T>::wait_for(words + other * Published<T>::words, run, value);
    const std::uint32_t whole = lanes_where(known == its_prefix);
    const int last = whole ? __builtin_ctz(whole) : Image::sum_group - 1;
    before += sum_over_group(lane_number() <= last ? value : T(0));
    if (whole) break;
  }
  return before;
}

/// Vectors of this thread, of which lane l has every sum_group-th from number l on: those from `first` on, with zeros
/// behind the last value.
template <class Tile, class T>
KERNEL_FN void read_vectors(const T* values, std::int64_t first, std::int64_t count, typename Tile::Vector* read) {
  constexpr int vectors = Tile::vectors, step = int{Tile::lanes} * Image::sum_group;
  if (first + (vectors - 1) * step + Tile::lanes <= count) {
#pragma unroll Tile::unrolled
    for (int v = 0; v < vectors; ++v) read[v] = vector_at<typename Tile::Vector>(values + first + v * step);
  } else {
#pragma unroll Tile::unrolled
    for (int v = 0; v < vectors; ++v)
      for (int l = 0; l < Tile::lanes; ++l) {
        const std::int64_t i = first + v * step + l;
        read[v].raw[l] = i < count ? values[i] : T(0);
      }
  }
}

/// The group's values become their sums among themselves; returns the last.
template <class T, class Tile>
KERNEL_FN T scan_group(typename Tile::Vector* read) {
  constexpr int vectors = Tile::vectors, lanes = Tile::lanes;
  T before = 0;
#pragma unroll Tile::unrolled
  for (int v = 0; v < vectors; ++v) {
    for (int l = 1; l < lanes; ++l) read[v].raw[l] += read[v].raw[l - 1];
    T up_to = read[v].raw[lanes - 1];
    for (int distance = 1; distance < Image::sum_group; distance *= 2) {
      const T other = from_below(up_to, distance);
      if (lane_number() >= distance) up_to += other;
    }
    const T below = from_below(up_to, 1);
    read[v] = read[v] + (lane_number() > 0 ? before + below : before);
    before += of_lane(up_to, Image::sum_group - 1);
  }
  return before;
}

template <class Tile, class T>
KERNEL_FN void write_vectors(T* sums, std::int64_t first, std::int64_t count, T before,
                             const typename Tile::Vector* scanned) {
  constexpr int vectors = Tile::vectors, step = int{Tile::lanes} * Image::sum_group;
  if (first + (vectors - 1) * step + Tile::lanes <= count) {
#pragma unroll Tile::unrolled
    for (int v = 0; v < vectors; ++v) set_vector(sums + first + v * step, scanned[v] + before);
  } else {
#pragma unroll Tile::unrolled
    for (int v = 0; v < vectors; ++v)
      for (int l = 0; l < Tile::lanes; ++l)
        if (first + v * step + l < count) sums[first + v * step + l] = scanned[v].raw[l] + before;
  }
}

#pragma omp end declare target

template <class T>
class LookBack : public TargetArrays<scan::Scanner, T> {
 public:
  using TargetArrays<scan::Scanner, T>::TargetArrays;

  void init(std::int64_t elements) override {
    elements_ = elements;
    constexpr int gpu_threads = 512, most_teams = 1056;  // fewer, larger tiles have fewer to look back on
    const std::int64_t of_thread = 16 / sizeof(T) * (this->is_gpu() ? 4 : 4096);
    const auto threads = this->is_gpu() ? this->asked_threads_.value_or(gpu_threads) : this->asked_threads_;
    this->launch_ = launch_for(this->device_, threads, (elements + of_thread - 1) / of_thread);
    const std::int64_t tile = this->launch_.threads * of_thread;
    tiles_ = (elements + tile - 1) / tile;
    this->launch_.teams = static_cast<int>(std::min<std::int64_t>(this->launch_.teams, most_teams));
    this->make_arrays(elements, elements, 2 * tiles_);
    this->parts_.spoil();
    tickets_ = on_device(std::vector<std::uint32_t>(1), this->device_.number);
  }

  void scan() override {
    using Tile = ScanTile<T>;
    const T* const values = this->values_.data();
    T* const sums = this->results_.data();
    auto* const words = reinterpret_cast<std::uint64_t*>(this->parts_.data());
    std::uint32_t* const tickets = tickets_.data();
    LaunchRecord* const record = this->record_.data();
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::int64_t elements = elements_, tiles = tiles_;
    const std::uint32_t run = ++run_;
#pragma omp target teams is_device_ptr(values, sums, words, tickets, record) device(device) num_teams(teams) \
    thread_limit(threads)
    {
      static T of_groups[Image::most_groups], before_tile;
      static std::uint32_t first_tile, next_tile;
#pragma omp allocate(of_groups, before_tile, first_tile, next_tile) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        constexpr int of_thread = int{Tile::vectors} * Tile::lanes;
        typename Tile::Vector read[Tile::vectors], read_ahead[Tile::vectors];
        const int in_tile = group_number() * of_thread * Image::sum_group + lane_number() * Tile::lanes;
        const int groups = threads / Image::sum_group;
        const bool is_first = omp_get_thread_num() == 0;
        if (is_first) first_tile = count_up(tickets);
#pragma omp barrier
        std::int64_t tile = first_tile;
        read_vectors<Tile>(values, tile * threads * of_thread + in_tile, elements, read);
        while (tile < tiles) {
          const std::uint32_t ticket = is_first ? count_up(tickets) : 0;
          const T of_group = scan_group<T, Tile>(read);
          if (lane_number() == 0) of_groups[group_number()] = of_group;
          if (is_first) next_tile = ticket;
#pragma omp barrier
          T up_to_group = 0, of_tile = 0;
          for (int group = 0; group < groups; ++group) {
            if (group == group_number()) up_to_group = of_tile;
            of_tile += of_groups[group];
          }
          std::uint64_t* const mine = words + tile * Published<T>::words;
          if (is_first && tile > 0) Published<T>::put(mine, 4 * run + its_sum, of_tile);
          const std::int64_t ahead = next_tile;
          read_vectors<Tile>(values, ahead * threads * of_thread + in_tile, elements, read_ahead);
          if (group_number() == 0) {
            const T before = sum_before<T>(words, tile, run);
            if (is_first) {
              Published<T>::put(mine, 4 * run + its_prefix, before + of_tile);
              before_tile = before;
            }
          }
#pragma omp barrier
          write_vectors<Tile>(sums, tile * threads * of_thread + in_tile, elements, before_tile + up_to_group, read);
          tile = ahead;
          for (int v = 0; v < Tile::vectors; ++v) read[v] = read_ahead[v];
        }
        // The last ticket is one of a team that found no tile.
        if (is_first && tile == tiles + teams - 1) *tickets = 0;
      }
    }
    ++this->regions_;
  }

  std::int64_t part() const override { return elements_; }

 private:
  std::int64_t elements_ = 0, tiles_ = 1;
  std::uint32_t run_ = 0;
  DeviceArray<std::uint32_t> tickets_;
};

}  // namespace

extern const scan::Variant look_back = {
    .name = "look-back",
    .summary = "one region: teams publish sums of tiles and look back at those of preceding tiles",
    .role = Role::like_for_like,
    .make = made_of<scan::Scanner, LookBack>};

}  // namespace boltzmark::openmp_target
