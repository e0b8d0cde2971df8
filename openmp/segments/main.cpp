// segments-openmp: segmented sums on the threads of one machine.
#include "common/segments/array_reducer.hpp"
#include "common/segments/cpu/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

/// Textbook: the loop over segments divided among threads. With fewer segments than threads, some threads have none.
struct Textbook {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers& workers) {
    const std::int64_t segments = shape.segments, length = shape.length;
    const int threads = workers.count;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < length; ++i) sum += values[segment * length + i];
      sums[segment] = sum;
    }
  }
};

/// Vectors: each thread sums its segments in vectors, or, if there are few, a part of every segment.
struct Vectors {
  template <class T>
  static void reduce(const T* values, segments::Shape shape, T* sums, const Workers& workers) {
    const int threads = workers.count;
    segments::sum_in_vectors(values, shape, sums, threads, [threads](const auto& work) {
#pragma omp parallel num_threads(threads)
      work(number_in_team_of(threads));
    });
  }
};

const segments::Variant textbook = textbook_of("a loop over segments", segments::by<Textbook>(start_workers));
const segments::Variant vectors = like_for_like_of("vectors", "vectors; a few long segments are shared by all threads",
                                                   segments::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, segments::workload, {&textbook, &vectors}, "vectors");
}
