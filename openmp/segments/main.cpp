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
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t segments = this->shape_.segments, length = this->shape_.length;
    const int threads = this->threads_;
    if (segments >= few * threads) {
#pragma omp parallel num_threads(threads)
      sum_rows(values, length, sums, part_of(segments, omp_get_thread_num(), threads));
      return;
    }
    std::vector<T> parts(static_cast<std::size_t>(segments * threads));
#pragma omp parallel num_threads(threads)
    {
      const int me = omp_get_thread_num();
      const Range mine = part_of(length, me, threads);
      for (std::int64_t segment = 0; segment < segments; ++segment)
        parts[segment * threads + me] = sum_of(values + segment * length + mine.begin, mine.size());
    }
    sum_rows<T>(parts.data(), threads, sums, {0, segments});
  }

 private:
  static constexpr std::int64_t few = 8;  ///< segments a thread, with which the shares are uneven
};

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("a loop over segments");

const segments::Variant vectors =
    like_for_like_of<segments::Reducer, Vectors>("vectors", "vectors; few segments are shared by all threads");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark::openmp;
  return run_on_threads(argc, argv, {textbook, vectors}, "vectors");
}
