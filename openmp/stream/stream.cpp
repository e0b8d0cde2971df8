// STREAM over threads: every kernel is a parallel loop. By static schedules a thread has the same elements in all of
// them, those that it touched first.
#include "common/cpu/worker_sums.hpp"
#include "common/stream/host_kernels.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace stream;
namespace {

constexpr const char *touched_by_all = "all", *touched_by_one = "one";

/// Only to show what it costs on several NUMA nodes to get it wrong.
ModelOption first_touch_option() {
  return {.name = "first-touch",
          .value = "all|one",
          .help = "who touches the arrays first: each thread its own part (default), or one thread all",
          .choices = {touched_by_all, touched_by_one}};
}

template <class T>
class OpenmpStream : public OnThreads<HostKernels<T>> {
 public:
  explicit OpenmpStream(const Options& asked)
      : OnThreads<HostKernels<T>>(asked), touched_by_one_(asked.text("first-touch") == touched_by_one) {}

  void init(std::int64_t elements) override {
    arrays_ = Arrays<T>(elements);
    T *const a = arrays_.a(), *const b = arrays_.b(), *const c = arrays_.c();
#pragma omp parallel for num_threads(threads_) schedule(static) if (!touched_by_one_)
    for (std::int64_t i = 0; i < elements; ++i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    }
  }
  void copy() override {
    const std::int64_t elements = arrays_.size();
    const T* const a = arrays_.a();
    T* const c = arrays_.c();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i];
  }
  void mul() override {
    const std::int64_t elements = arrays_.size();
    const T* const c = arrays_.c();
    T* const b = arrays_.b();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) b[i] = T(scalar) * c[i];
  }
  void add() override {
    const std::int64_t elements = arrays_.size();
    const T *const a = arrays_.a(), *const b = arrays_.b();
    T* const c = arrays_.c();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i] + b[i];
  }
  void triad() override {
    const std::int64_t elements = arrays_.size();
    const T *const b = arrays_.b(), *const c = arrays_.c();
    T* const a = arrays_.a();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < elements; ++i) a[i] = b[i] + T(scalar) * c[i];
  }
  /// Each thread's sum keeps what rounding loses (Arrays::dot()); they are added up in the order of the threads.
  double dot() override {
    const std::int64_t elements = arrays_.size();
    WorkerSums sums(threads_);
#pragma omp parallel num_threads(threads_)
    {
      const std::int64_t me = number_in_team_of(threads_);
      *sums.start(static_cast<int>(me), 1) = arrays_.dot({elements * me / threads_, elements * (me + 1) / threads_});
    }
    double sum = 0.0;
    sums.add_up(1.0, {&sum, 1});
    return sum;
  }

  RunFacts facts() const override {
    return this->on_machine(
        {.settings = {{"vvl", native_lanes<T>}, {"first_touch", touched_by_one_ ? touched_by_one : touched_by_all}}});
  }

 protected:
  using HostKernels<T>::arrays_, OnThreads<HostKernels<T>>::threads_;

 private:
  bool touched_by_one_;
};

const Variant plain = like_for_like_of<Kernels, OpenmpStream>("plain", "each kernel one loop over whole arrays");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_program(argc, argv,
                     threads_program(stream::workload, {&plain, stream::past_caches<OpenmpStream>()}, nullptr,
                                     {first_touch_option()}));
}
