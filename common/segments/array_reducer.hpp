// A segmented sum that is a function of two arrays, as a variant of the CPU models.
#pragma once

#include <memory>
#include <utility>

#include "common/run/arrays.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

template <class T, template <class> class There>
class ArrayReducer final : public Reducer {
 public:
  using Function = void(const T* values, Shape shape, T* sums, const Workers& workers);

  ArrayReducer(Workers workers, Function* function) : workers_(std::move(workers)), reduce_(function) {}

  void init(const Shape& shape) override {
    shape_ = shape;
    values_ = eighths<T>(workers_, {0, shape.elements()});
    sums_ = AlignedArray<T>(static_cast<std::size_t>(shape.segments));
    values_there_ = {values_.data(), shape.elements()};
    sums_there_ = {sums_.data(), shape.segments};
    spoil();
  }
  void spoil() override { spoil_array(workers_, sums_), sums_there_.upload(); }
  void reduce() override { reduce_(values_there_.data(), shape_, sums_there_.data(), workers_); }
  void collect() override { sums_there_.download(); }

  std::int64_t part() const override { return shape_.segments; }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }
  RunFacts facts() const override { return workers_.with({}); }

 private:
  Workers workers_;
  Function* reduce_;
  Shape shape_;
  AlignedArray<T> values_, sums_;
  There<T> values_there_, sums_there_;
};

/// `.make` of a variant: Method::reduce(values, shape, sums, workers).
template <class Method, template <class> class There = Here>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) -> std::unique_ptr<Reducer> {
    if (asked.precision == Precision::f64)
      return std::make_unique<ArrayReducer<double, There>>(start_workers(asked), Method::template reduce<double>);
    return std::make_unique<ArrayReducer<float, There>>(start_workers(asked), Method::template reduce<float>);
  };
}

}  // namespace boltzmark::segments
