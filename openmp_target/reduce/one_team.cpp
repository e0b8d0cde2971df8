// One team: in one region each thread reduces its part in vectors (common/reduce/cpu/vectors.hpp); the host reduces the
// threads' results.
#include <vector>

#include "common/reduce/operators.hpp"
#include "openmp_target/reduce/device_array.hpp"

#include "common/reduce/cpu/vectors.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {
using namespace reduce;

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

}  // namespace

extern const Variant one_team = like_for_like_of<Reducer, OneTeam>(
    "one-team", "for processors: eight vectors at a time on each thread, one region");

}  // namespace boltzmark::openmp_target
