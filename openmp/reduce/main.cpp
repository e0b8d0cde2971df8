// reduce-openmp: an array that the threads of one machine reduce.
#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "common/run/cpu_device.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

class OpenmpReducer : public reduce::HostReducer {
 public:
  explicit OpenmpReducer(const Options& asked) : threads_(check_threads(asked.number("threads"))) {}
  void init(const reduce::Task& task) override {
    make_array(task, {0, task.elements});
#pragma omp parallel num_threads(threads_)
    fill(part_of(omp_get_thread_num()));
  }
  RunFacts facts() const override { return {.device = cpu_name(), .driver = runtime_name(), .threads = threads_}; }

 protected:
  Range part_of(int thread) const { return range_of_pages(size(), thread, threads_, value_bytes()); }

  int threads_;
};

/// Textbook: the loop with OpenMP's reduction clause, here with a declared operator.
class Textbook : public OpenmpReducer {
 public:
  using OpenmpReducer::OpenmpReducer;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op, const T* values) {
      const std::int64_t elements = size();
      const int threads = threads_;
      T result = Op::template neutral<T>;
#pragma omp declare reduction(combine:T \
                              : omp_out = Op::of(omp_out, omp_in)) initializer(omp_priv = Op::template neutral <T>)
#pragma omp parallel for num_threads(threads) reduction(combine : result)
      for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
      return reduce::result_of(result);
    });
  }
};

/// Vectors: each thread its part in vectors (common/reduce/vectors.hpp), then the threads' totals in their order.
class Vectors : public OpenmpReducer {
 public:
  using OpenmpReducer::OpenmpReducer;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(threads_));
#pragma omp parallel num_threads(threads_)
      {
        const int me = omp_get_thread_num();
        totals[me] = reduce_vectors(op, values, part_of(me));
      }
      for (std::size_t thread = 1; thread < totals.size(); ++thread) totals[0].take(totals[thread]);
      return totals[0].result();
    });
  }
};

const reduce::Variant textbook = {
    .name = "textbook",
    .summary = "a loop with OpenMP's reduction clause",
    .role = Role::textbook,
    .make = [](const Options& asked) -> std::unique_ptr<reduce::Reducer> { return std::make_unique<Textbook>(asked); }};

const reduce::Variant vectors = {
    .name = "vectors",
    .summary = "eight vectors at a time on each thread",
    .role = Role::like_for_like,
    .make = [](const Options& asked) -> std::unique_ptr<reduce::Reducer> { return std::make_unique<Vectors>(asked); }};

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_program<reduce::Variant>(argc, argv,
                                      {.model = "openmp",
                                       .summary = "Reduction of an array on the threads of one machine",
                                       .build = BOLTZMARK_BUILD_INFO,
                                       .variants = {textbook, vectors},
                                       .default_variant = "vectors",
                                       .options = {threads_option("what the runtime says")},
                                       .devices = cpu_devices,
                                       .warning = thread_advice});
}
