// STREAM over threads: every kernel is a parallel loop. By static schedules a thread has the same elements in all of
// them, which it also touched first.
#include "common/cpu/worker_sums.hpp"
#include "common/stream/array_kernels.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace stream;
namespace {

constexpr const char *touched_by_all = "all", *touched_by_one = "one";

/// Only to show the cost of wrong placement on several NUMA nodes.
ModelOption first_touch_option() {
  return {.name = "first-touch",
          .value = "all|one",
          .help = "who touches the arrays first: each thread its own part (default), or one thread all",
          .choices = {touched_by_all, touched_by_one}};
}

template <class T>
class Plain {
 public:
  explicit Plain(const Options& asked) : touched_by_one_(asked.text("first-touch") == touched_by_one) {}

  void init(Arrays<T>& at, const Workers& workers) const {
    const std::int64_t elements = at.size();
    T *const a = at.a(), *const b = at.b(), *const c = at.c();
#pragma omp parallel for num_threads(workers.count) schedule(static) if (!touched_by_one_)
    for (std::int64_t i = 0; i < elements; ++i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    }
  }
  static void copy(Arrays<T>& at, const Workers& workers) {
    const std::int64_t elements = at.size();
    const T* const a = at.a();
    T* const c = at.c();
#pragma omp parallel for num_threads(workers.count) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i];
  }
  static void mul(Arrays<T>& at, const Workers& workers) {
    const std::int64_t elements = at.size();
    const T* const c = at.c();
    T* const b = at.b();
#pragma omp parallel for num_threads(workers.count) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) b[i] = T(scalar) * c[i];
  }
  static void add(Arrays<T>& at, const Workers& workers) {
    const std::int64_t elements = at.size();
    const T *const a = at.a(), *const b = at.b();
    T* const c = at.c();
#pragma omp parallel for num_threads(workers.count) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i] + b[i];
  }
  static void triad(Arrays<T>& at, const Workers& workers) {
    const std::int64_t elements = at.size();
    const T *const b = at.b(), *const c = at.c();
    T* const a = at.a();
#pragma omp parallel for num_threads(workers.count) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) a[i] = b[i] + T(scalar) * c[i];
  }
  /// Each thread's sum is compensated (Arrays::dot()); the sums are added up in the order of the threads.
  static double dot(const Arrays<T>& at, const Workers& workers) {
    const int threads = workers.count;
    WorkerSums sums(threads);
#pragma omp parallel num_threads(threads)
    {
      const int me = number_in_team_of(threads);
      *sums.start(me, 1) = at.dot(part_of(at.size(), me, threads));
    }
    double sum = 0.0;
    sums.add_up(1.0, {&sum, 1});
    return sum;
  }
  Settings settings() const {
    return {{"vvl", native_lanes<T>}, {"first_touch", touched_by_one_ ? touched_by_one : touched_by_all}};
  }

 private:
  bool touched_by_one_;
};

const Variant plain = like_for_like_of("plain", "each kernel one loop over whole arrays", by<Plain>(start_workers));
const Variant nt = past_caches<Plain>(start_workers);

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_program(argc, argv, threads_program(stream::workload, {&plain, &nt}, nullptr, {first_touch_option()}));
}
