// Textbook: the loops of the definition, the two outer ones distributed over teams and their threads.
//
//     c[i][j] = sum of a[i][k] * b[k][j]
#include "openmp_target/matmul/device_matrices.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T>
class Textbook : public DeviceMatrices<T> {
 public:
  using DeviceMatrices<T>::DeviceMatrices;

  void init(const Shape& shape, const Entries& entries) override {
    this->make(shape, entries, shape.m, shape.n, shape.k);
    this->launch_over(shape.m * shape.n);
  }

  void multiply() override {
    const std::int64_t m = shape_.m, n = shape_.n, depth = shape_.k;
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const T *const a = this->a_.data(), *const b = this->b_.data();
    T* const c = this->c_.data();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(a, b, c, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
        c[i * n + j] = sum;
        if (i == 0 && j == 0) record_launch(record, teams, threads);
      }
    ++this->regions_;
  }

  /// How many threads of a GPU share the values read from B is not known.
  RunFacts facts() const override {
    ProductTraffic traffic = this->traffic();
    if (!this->is_gpu()) traffic.rows_of_b(launch_.threads);
    return this->facts_with((2.0 * static_cast<double>(shape_.k) + 1.0) * sizeof(T), traffic);
  }

 private:
  using DeviceMatrices<T>::launch_;
  using DeviceMatrices<T>::shape_;
};

}  // namespace

extern const Variant textbook =
    textbook_of<Multiplier, Textbook>("the loops of the definition, over teams and threads");

}  // namespace boltzmark::openmp_target
