// segments-openmp: segmented sums on the threads of one machine.
#include "common/segments/host_reducer.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
using ThreadedSegments = OnThreads<segments::HostReducer<T>>;

/// Textbook: the loop over segments spread over threads. Where there are fewer segments than threads, some have none.
template <class T>
class Textbook : public ThreadedSegments<T> {
 public:
  using ThreadedSegments<T>::OnThreads;
  void reduce() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const auto [segments, length] = this->shape_;
    const int threads = this->threads_;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < length; ++i) sum += values[segment * length + i];
      sums[segment] = sum;
    }
  }
};

/// Vectors: each thread its segments in vectors; of few segments each thread a part of every one.
template <class T>
class Vectors : public ThreadedSegments<T> {
 public:
  using ThreadedSegments<T>::OnThreads;
  void reduce() override {
    this->sum_in_vectors([threads = this->threads_](const auto& work) {
#pragma omp parallel num_threads(threads)
      work(number_in_team_of(threads));
    });
  }
};

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("a loop over segments");

const segments::Variant vectors =
    like_for_like_of<segments::Reducer, Vectors>("vectors", "vectors; few segments are shared by all threads");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
