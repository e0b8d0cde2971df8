// A, B and C on an offload device.
#pragma once

#include <algorithm>
#include <vector>

#include "common/matmul/multiplier.hpp"
#include "common/matmul/traffic.hpp"
#include "openmp_target/runtime/on_device.hpp"

namespace boltzmark::openmp_target {
using namespace matmul;

template <class T>
class DeviceMatrices : public OnDevice<Multiplier> {
 public:
  using OnDevice<Multiplier>::OnDevice;

  std::string shortage(double bytes) override { return shortage_for(bytes, true); }

  void spoil() override { c_.spoil(); }
  void collect() override {
    result_.resize(static_cast<std::size_t>(c_.size()));
    c_.read(0, c_.size(), result_.data());
  }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = result_.data() + row * stride_;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Facts with each matrix once; a variant adds repeated passes.
  RunFacts facts_with(double bytes_per_update, const ProductTraffic& traffic) const {
    RunFacts facts = OnDevice<Multiplier>::facts_with(bytes_per_update);
    facts.traffic = traffic.sets();
    return facts;
  }
  ProductTraffic traffic() const { return {shape_, sizeof(T), !is_gpu()}; }

  /// Makes matrices of at least these sizes, zeros beyond `shape`: `rows` of A and C, rows of B and C `stride` apart,
  /// `depth` columns of A and rows of B. C is filled with values that no product has.
  void make(const Shape& shape, const Entries& entries, std::int64_t rows, std::int64_t stride, std::int64_t depth) {
    shape_ = shape;
    stride_ = stride;
    std::vector<T> a(static_cast<std::size_t>(rows * depth)), b(static_cast<std::size_t>(depth * stride));
    entries.fill(Matrix::a, a.data(), depth, 0, shape.m, 0, shape.k);
    entries.fill(Matrix::b, b.data(), stride, 0, shape.k, 0, shape.n);
    const auto put = [this](DeviceArray<T>& array, const std::vector<T>& values) {
      array = DeviceArray<T>(static_cast<std::int64_t>(values.size()), device_.number);
      if (!is_gpu()) array.use_huge_pages();
      array.write(values);
    };
    put(a_, a);
    put(b_, b);
    put(c_, std::vector<T>(static_cast<std::size_t>(rows * stride), T(0.5)));
  }

  Shape shape_;
  std::int64_t stride_ = 0;
  DeviceArray<T> a_, b_, c_;

 private:
  std::vector<T> result_;  ///< C on the device
};

}  // namespace boltzmark::openmp_target
