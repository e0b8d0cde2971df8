// Textbook: one loop over teams and their threads, with a reduction clause for each operator.
//
//     #pragma omp target teams distribute parallel for reduction(+ : result)
//     result = result + values[i]
#include "openmp_target/reduce/device_array.hpp"

namespace boltzmark::openmp_target {
namespace {
using namespace reduce;

#define TEXT_OF(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(TEXT_OF(__VA_ARGS__))
/// The loop of one operator; `sign` is OpenMP's name of it.
#define REDUCED(Op, sign)                                                                                         \
  template <class T>                                                                                              \
  Result reduced(Op, const T* values, std::int64_t count, const RegionLaunch& launch, LaunchRecord* record) {     \
    T result = Op::template neutral<T>;                                                                           \
    const int device = launch.device, teams = launch.teams, threads = launch.threads;                             \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(values, record) device(device) num_teams(teams) \
               thread_limit(threads) num_threads(threads) map(tofrom : result) reduction(sign : result))          \
    for (std::int64_t i = 0; i < count; ++i) {                                                                    \
      if (i == 0) record_launch(record, teams, threads);                                                          \
      result = Op::of(result, values[i]);                                                                         \
    }                                                                                                             \
    return result_of(result);                                                                                     \
  }

REDUCED(Sum, +)
REDUCED(Product, *)
REDUCED(Min, min)
REDUCED(Max, max)
REDUCED(And, &)
REDUCED(Or, |)
REDUCED(Xor, ^)

struct Loop {
  static constexpr int regions = 1;
  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t count, const RegionLaunch& launch, LaunchRecord* record,
                       std::uint64_t*, std::uint32_t*) {
    return reduced(op, values, count, launch, record);
  }
};

}  // namespace

extern const Variant textbook =
    textbook_of<Reducer, DeviceReducer<Loop>>("one loop over teams and threads with a reduction clause");

}  // namespace boltzmark::openmp_target
