// axes-openmp: access patterns on the threads of one machine.
#include "common/axes/array_patterns.hpp"
#include "common/axes/cpu/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {
using namespace axes;

/// Textbook: the loops over the three remaining axes, divided among threads.
struct Textbook {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers& workers) {
    const std::int64_t elements = n * n * n * n;
    const int threads = workers.count;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = 0; i < elements; ++i) filled[i] = 1;
  }
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* sums, const Workers& workers) {
    const int threads = workers.count;
#pragma omp parallel for collapse(3) num_threads(threads)
    for (std::int64_t outer = 0; outer < n; ++outer)
      for (std::int64_t middle = 0; middle < n; ++middle)
        for (std::int64_t inner = 0; inner < n; ++inner) {
          T sum = 0;
          for (std::int64_t at = 0; at < n; ++at)
            sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
          sums[(outer * n + middle) * n + inner] = sum;
        }
  }
};

/// Vectors: each thread computes its sums, those of neighbouring elements together (common/axes/cpu/vectors.hpp).
struct Vectors {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers& workers) {
    const int threads = workers.count;
#pragma omp parallel num_threads(threads)
    {
      const Range mine = workers.pages_of(number_in_team_of(threads), n * n * n * n, sizeof(T));
      std::fill(filled + mine.begin, filled + mine.end, T(1));
    }
  }
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* sums, const Workers& workers) {
    const int threads = workers.count;
#pragma omp parallel num_threads(threads)
    axes::add_up(values, n, s.reduced, sums, workers.pages_of(number_in_team_of(threads), n * n * n, sizeof(T)));
  }
};

const axes::Variant textbook =
    textbook_of("loops over the remaining axes, divided over threads", by<Textbook>(start_workers));
const axes::Variant vectors = like_for_like_of("vectors", "sums divided over threads, neighbouring elements in vectors",
                                               by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
