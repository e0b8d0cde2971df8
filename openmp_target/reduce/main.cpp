// reduce-openmp-target: an array reduced in target regions.
#include <vector>

#include "common/reduce/operators.hpp"
#include "openmp_target/reduce/device_array.hpp"

#include "common/reduce/cpu/vectors.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
extern const reduce::Variant textbook;  // textbook.cpp
namespace {
using namespace reduce;

// Vectors: each thread folds eight vectors of its values at a time, and the last team to finish folds the results of
// all teams. One region: a reduction clause, or a second region, takes longer than small arrays do.
//
//     parts[team] = v0 (op) v1 (op) ... of the team's vectors;   last team: result = parts[0] (op) parts[1] ...
#pragma omp begin declare target

/// The values of one turn, as far as this image is concerned.
template <class T>
struct Turn {
  enum : int {
    lanes = Image::is_gpu ? 16 / sizeof(T) : int{native_lanes<T>},
    vectors = 8,
    turns = Image::is_gpu ? 2 : 32
  };
  using Vector = typename Pack<T, lanes>::Raw;
};

/// A vector's lanes go into the total.
template <class Op, class T>
KERNEL_FN void take_lanes(Total<Op, T>& total, typename Turn<T>::Vector vector) {
  T value = vector[0];
  for (int lane = 1; lane < Turn<T>::lanes; ++lane) value = Op::of(value, static_cast<T>(vector[lane]));
  total.take(value);
}

/// This thread's whole vectors in blocks, the rest one by one. No sum takes more than turns * vectors terms in T.
template <class Op, class T>
KERNEL_FN Total<Op, T> total_of_thread(const T* values, std::int64_t count) {
  using Vector = typename Turn<T>::Vector;
  constexpr int lanes = Turn<T>::lanes, vectors = Turn<T>::vectors, turns = Turn<T>::turns;
  const auto* const all = reinterpret_cast<const Vector*>(values);
  const IndexRange range = indices_of_thread(count / lanes);
  Total<Op, T> total;
  std::int64_t i = range.begin;
  for (; i + (vectors * turns - 1) * range.stride < range.end; i += vectors * turns * range.stride) {
    Vector part[vectors];
    UNROLL for (int v = 0; v < vectors; ++v) part[v] = all[i + v * range.stride];
    for (int turn = 1; turn < turns; ++turn)
      UNROLL for (int v = 0; v < vectors; ++v) part[v] = Op::of(part[v], all[i + (turn * vectors + v) * range.stride]);
    UNROLL for (int half = vectors / 2; half > 0; half /= 2) UNROLL for (int v = 0; v < half; ++v) part[v] =
        Op::of(part[v], part[v + half]);
    take_lanes(total, part[0]);
  }
  if (i < range.end) {
    Vector part = all[i];
#pragma unroll 4
    for (i += range.stride; i < range.end; i += range.stride) part = Op::of(part, all[i]);
    take_lanes(total, part);
  }
  if (thread_number() == 0)
    for (std::int64_t at = count / lanes * lanes; at < count; ++at) total.take(values[at]);
  return total;
}

#pragma omp end declare target

/// The type of partial results: doubles, or words.
template <class T>
using Kept = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
template <class T>
KERNEL_FN Kept<T> kept(const Result& result) {
  if constexpr (std::is_integral_v<T>) return result.word;
  return result.number;
}

struct Blocks {
  static constexpr int regions = 1;

  template <class Op, class T>
  static Result reduce(Op, const T* values, std::int64_t count, const RegionLaunch& launch, LaunchRecord* record,
                       std::uint64_t* scratch, std::uint32_t* done) {
    using K = Kept<T>;
    auto* const parts = reinterpret_cast<K*>(scratch);
    const int device = launch.device, teams = launch.teams, threads = launch.threads;
    K result{};
#pragma omp target teams is_device_ptr(values, parts, done, record) map(from                                      \
                                                                        : result) device(device) num_teams(teams) \
    thread_limit(threads)
    {
      static K of_groups[Image::most_groups];
      static int is_last;
#pragma omp allocate(of_groups, is_last) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        const K of_team = combined_over_team<Op>(kept<T>(total_of_thread<Op>(values, count).result()), of_groups);
        if (omp_get_thread_num() == 0) {
          parts[omp_get_team_num()] = of_team;
          publish();
          is_last = static_cast<int>(count_up(done)) == teams - 1;
          publish();
        }
#pragma omp barrier
        if (is_last) {
          Total<Op, K> total;
          for (int team = omp_get_thread_num(); team < teams; team += threads) total.take(parts[team]);
          const K all = combined_over_team<Op>(kept<K>(total.result()), of_groups);
          if (omp_get_thread_num() == 0) {
            result = all;
            *done = 0;
          }
        }
      }
    }
    return result_of(result);
  }
};

// One team: in one region each thread reduces its part in vectors (common/reduce/cpu/vectors.hpp); the host reduces the
// threads' results.
struct Parts {
  static constexpr int regions = 1;

  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t count, const RegionLaunch& launch, LaunchRecord* record,
                       std::uint64_t*, std::uint32_t*) {
    using Sum = Total<Op, T>;
    const int device = launch.device, threads = launch.threads;
    std::vector<Sum> totals(static_cast<std::size_t>(threads));
    Sum* const of_threads = totals.data();
#pragma omp target teams is_device_ptr(values, record) map(from                                                  \
                                                           : of_threads [0:threads]) device(device) num_teams(1) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, 1, threads);
      const int me = omp_get_thread_num();
      of_threads[me] = reduce_vectors(op, values, range_of_pages(count, me, threads, sizeof(T)));
    }
    for (int thread = 1; thread < threads; ++thread) totals[0].take(totals[thread]);
    return totals[0].result();
  }
};

class OneTeam : public DeviceReducer<Parts> {
 public:
  using DeviceReducer<Parts>::DeviceReducer;
  void init(const Task& task) override {
    expect_processor("one-team", device_);
    DeviceReducer<Parts>::init(task);
  }
};

const Variant vectors = like_for_like_of<Reducer, DeviceReducer<Blocks>>(
    "vectors", "eight vectors at a time on each thread; the last team adds up the remaining values");
const Variant one_team = like_for_like_of<Reducer, OneTeam>(
    "one-team", "for processors: eight vectors at a time on each thread, one region");

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, reduce::workload, {&textbook, &vectors, &one_team}, "vectors");
}
