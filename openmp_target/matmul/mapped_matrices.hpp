// A, B and C mapped to an offload device for as long as they live.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "common/matmul/multiplier.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace matmul;

template <class T>
class MappedMatrices : public OnDevice<Multiplier> {
 public:
  using OnDevice<Multiplier>::OnDevice;
  ~MappedMatrices() override { unmap(); }

  std::string shortage(double bytes) override { return shortage_for(bytes, true); }

  void spoil() override {
    std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN());
    T* const c = c_.data();
    const std::size_t values = c_.size();
#pragma omp target update to(c [0:values]) device(device_.number)
  }
  void collect() override {
    T* const c = c_.data();
    const std::size_t values = c_.size();
#pragma omp target update from(c [0:values]) device(device_.number)
  }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = c_.data() + row * stride_;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Makes and maps matrices of at least these sizes, zeros beyond `shape`: `rows` of A and C, rows of B and C `stride`
  /// apart. C is filled with what no product has.
  void make(const Shape& shape, const Entries& entries, std::int64_t rows, std::int64_t stride) {
    shape_ = shape;
    stride_ = stride;
    a_.assign(static_cast<std::size_t>(rows * shape.k), T(0));
    b_.assign(static_cast<std::size_t>(shape.k * stride), T(0));
    c_.assign(static_cast<std::size_t>(rows * stride), T(0.5));
    entries.fill(Matrix::a, a_.data(), shape.k, 0, shape.m, 0, shape.k);
    entries.fill(Matrix::b, b_.data(), stride, 0, shape.k, 0, shape.n);
    T *const a = a_.data(), *const b = b_.data(), *const c = c_.data();
    const std::size_t of_a = a_.size(), of_b = b_.size(), of_c = c_.size();
#pragma omp target enter data map(to : a [0:of_a], b [0:of_b], c [0:of_c]) device(device_.number)
  }

  RunFacts facts_with(double bytes_per_update) const {
    RunFacts facts = OnDevice::facts();
    facts.bytes_per_update = bytes_per_update;
    return facts;
  }

  Shape shape_;
  std::int64_t stride_ = 0;
  std::vector<T> a_, b_, c_;

 private:
  void unmap() {
    if (a_.empty()) return;
    T *const a = a_.data(), *const b = b_.data(), *const c = c_.data();
    const std::size_t of_a = a_.size(), of_b = b_.size(), of_c = c_.size();
#pragma omp target exit data map(delete : a [0:of_a], b [0:of_b], c [0:of_c]) device(device_.number)
  }
};

}  // namespace boltzmark::openmp_target
