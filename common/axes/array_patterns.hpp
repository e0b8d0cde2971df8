// Access patterns that are functions of arrays, as a variant of the CPU models.
#pragma once

#include <memory>
#include <utility>

#include "common/axes/patterns.hpp"
#include "common/run/arrays.hpp"

namespace boltzmark::axes {

template <class T>
class ArrayPatterns final : public Patterns {
 public:
  using Fill = void(T* filled, std::int64_t n, const Workers& workers);
  using AddUp = void(const T* values, std::int64_t n, const Strides& strides, T* sums, const Workers& workers);

  ArrayPatterns(Workers workers, Fill* fill, AddUp* add_up)
      : workers_(std::move(workers)), fill_(fill), add_up_(add_up) {}

  void init(std::int64_t n) override {
    n_ = n;
    values_ = eighths<T>(workers_, {0, n * n * n * n});
    filled_ = AlignedArray<T>(values_.size());
    sums_ = AlignedArray<T>(static_cast<std::size_t>(n * n * n));
    spoil();
  }
  void spoil() override { spoil_array(workers_, filled_), spoil_array(workers_, sums_); }
  void run(Pass pass) override {
    if (pass == Pass::fill) return fill_(filled_.data(), n_, workers_);
    add_up_(values_.data(), n_, strides_of(pass, n_), sums_.data(), workers_);
  }
  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    std::copy_n((pass == Pass::fill ? filled_ : sums_).data() + at, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with({.grids = 1}); }

 private:
  Workers workers_;
  Fill* fill_;
  AddUp* add_up_;
  std::int64_t n_ = 0;
  AlignedArray<T> values_, filled_, sums_;
};

/// `.make` of a variant: Method::fill(filled, n, workers) and Method::add_up(values, n, strides, sums, workers).
template <class Method>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) -> std::unique_ptr<Patterns> {
    const auto made = [&]<class T>(T) -> std::unique_ptr<Patterns> {
      return std::make_unique<ArrayPatterns<T>>(start_workers(asked), Method::template fill<T>,
                                                Method::template add_up<T>);
    };
    return asked.precision == Precision::f64 ? made(double()) : made(float());
  };
}

}  // namespace boltzmark::axes
