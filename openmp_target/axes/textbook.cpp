// Textbook: the loops over the three remaining axes, distributed over teams and their threads.
//
//     sums[outer][middle][inner] = sum of the elements along the axis that is added up
#include "openmp_target/axes/device_patterns.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T>
class Textbook : public DevicePatterns<T> {
 public:
  using DevicePatterns<T>::DevicePatterns;

 private:
  void fill() override {
    T* const filled = this->filled_.data();
    LaunchRecord* const record = this->record_.data();
    const std::int64_t elements = this->filled_.size();
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
#pragma omp target teams distribute parallel for is_device_ptr(filled, record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
    for (std::int64_t i = 0; i < elements; ++i) {
      if (i == 0) record_launch(record, teams, threads);
      filled[i] = 1;
    }
  }
  void add_up(const axes::Strides& of) override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    LaunchRecord* const record = this->record_.data();
    const std::int64_t n = this->n_;
    const axes::Strides s = of;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
#pragma omp target teams distribute parallel for collapse(3) is_device_ptr(values, sums, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads) firstprivate(s)
    for (std::int64_t outer = 0; outer < n; ++outer)
      for (std::int64_t middle = 0; middle < n; ++middle)
        for (std::int64_t inner = 0; inner < n; ++inner) {
          if (outer == 0 && middle == 0 && inner == 0) record_launch(record, teams, threads);
          T sum = 0;
          for (std::int64_t at = 0; at < n; ++at)
            sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
          sums[(outer * n + middle) * n + inner] = sum;
        }
  }
};

}  // namespace

extern const axes::Variant textbook =
    textbook_of<axes::Patterns, Textbook>("loops over the remaining axes, over teams and threads");

}  // namespace boltzmark::openmp_target
