// axes-openmp: access patterns on the threads of one machine.
#include "common/axes/host_patterns.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {
using namespace axes;

template <class T>
using ThreadedPatterns = OnThreads<HostPatterns<T>>;

/// Textbook: the loops over the three axes that are left, spread over threads.
template <class T>
class Textbook : public ThreadedPatterns<T> {
 public:
  using ThreadedPatterns<T>::OnThreads;

 private:
  void fill() override {
    T* const filled = this->filled_.data();
    const std::int64_t elements = this->elements();
    const int threads = this->threads_;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = 0; i < elements; ++i) filled[i] = 1;
  }
  void add_up(const Strides& s) override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t n = this->n_;
    const int threads = this->threads_;
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

/// Vectors: each thread its sums, those of neighbouring elements together (common/axes/vectors.hpp).
template <class T>
class Vectors : public ThreadedPatterns<T> {
 public:
  using ThreadedPatterns<T>::OnThreads;

 private:
  void fill() override {
    T* const filled = this->filled_.data();
    const int threads = this->threads_;
#pragma omp parallel num_threads(threads)
    {
      const Range mine = range_of_pages(this->elements(), number_in_team_of(threads), threads, sizeof(T));
      std::fill(filled + mine.begin, filled + mine.end, T(1));
    }
  }
  void add_up(const Strides& s) override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t n = this->n_;
    const int threads = this->threads_;
#pragma omp parallel num_threads(threads)
    axes::add_up(values, n, s.reduced, sums, range_of_pages(n * n * n, number_in_team_of(threads), threads, sizeof(T)));
  }
};

const axes::Variant textbook =
    textbook_of<axes::Patterns, Textbook>("the loops over the axes that are left, spread over threads");
const axes::Variant vectors = like_for_like_of<axes::Patterns, Vectors>(
    "vectors", "each thread its sums, those of neighbouring elements in vectors");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
