// axes-openmp-target: access patterns in target regions.
#include "openmp_target/axes/device_patterns.hpp"

#include "common/axes/cpu/vectors.hpp"  // must follow the declarations of its vectors for devices

namespace boltzmark::openmp_target {
extern const axes::Variant textbook;  // textbook.cpp
namespace {

// Vectors: a processor's thread computes consecutive sums, those of neighbouring elements in vectors
// (common/axes/cpu/vectors.hpp). On a GPU neighbouring threads have neighbouring sums; along the last axis the threads
// that run in step share a row, which they read contiguously.
#pragma omp begin declare target

/// This thread's sums on a GPU.
template <class T>
KERNEL_FN void add_up_in_step(const T* values, std::int64_t n, std::int64_t apart, T* sums) {
  constexpr int in_step = Image::sum_group;
  const std::int64_t all = n * n * n, thread = thread_number(), threads = thread_count();
  if (apart > 1) {
    for (std::int64_t number = thread; number < all; number += threads) {
      const T* const from = values + axes::first_of_sum(number, n, apart);
      T sum = 0;
      for (std::int64_t i = 0; i < n; ++i) sum += from[i * apart];
      sums[number] = sum;
    }
    return;
  }
  for (std::int64_t row = thread / in_step; row < all; row += threads / in_step) {
    T sum = 0;
    for (std::int64_t i = thread % in_step; i < n; i += in_step) sum += values[row * n + i];
    sum = sum_over_group(sum);
    if (thread % in_step == 0) sums[row] = sum;
  }
}

#pragma omp end declare target

template <class T>
class Vectors : public DevicePatterns<T> {
 public:
  using DevicePatterns<T>::DevicePatterns;

 private:
  void fill() override {
    T* const filled = this->filled_.data();
    LaunchRecord* const record = this->record_.data();
    const std::int64_t elements = this->n_ * this->n_ * this->n_ * this->n_;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
#pragma omp target teams is_device_ptr(filled, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const IndexRange mine = indices_of_thread(elements);
      for (std::int64_t i = mine.begin; i < mine.end; i += mine.stride) filled[i] = 1;
    }
  }
  void add_up(const axes::Strides& s) override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    LaunchRecord* const record = this->record_.data();
    const std::int64_t n = this->n_, apart = s.reduced;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
#pragma omp target teams is_device_ptr(values, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      if (Image::is_gpu)
        add_up_in_step(values, n, apart, sums);
      else
        axes::add_up(values, n, apart, sums, range_of_pages(n * n * n, thread_number(), thread_count(), sizeof(T)));
    }
  }
};

const axes::Variant vectors = like_for_like_of<axes::Patterns, Vectors>(
    "vectors", "sums of neighbouring elements in vectors, or by neighbouring threads");

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, axes::workload, {&textbook, &vectors}, "vectors");
}
