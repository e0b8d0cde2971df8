// A prefix sum that is a function of two arrays, as a variant of the CPU models.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "common/run/arrays.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {

template <class T, template <class> class There>
class ArrayScanner final : public Scanner {
 public:
  using Function = std::function<void(const T* values, T* sums, std::int64_t elements, const Workers& workers)>;

  /// tile_bytes of `passes` are per worker.
  ArrayScanner(Workers workers, Function function, Passes passes, Settings settings)
      : workers_(std::move(workers)), scan_(std::move(function)), passes_(passes), settings_(std::move(settings)) {
    passes_.tile_bytes *= workers_.count;
  }

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(std::int64_t elements) override {
    part_ = workers_.part_of(elements, sizeof(T));
    values_ = eighths<T>(workers_, part_);
    sums_ = AlignedArray<T>(static_cast<std::size_t>(part_.size()));
    values_there_ = {values_.data(), part_.size()};
    sums_there_ = {sums_.data(), part_.size()};
    spoil();
  }
  void spoil() override { spoil_array(workers_, sums_), sums_there_.upload(); }
  void scan() override { scan_(values_there_.data(), sums_there_.data(), part_.size(), workers_); }
  void collect() override { sums_there_.download(); }

  Passes passes() const override { return passes_; }
  std::int64_t first() const override { return part_.begin; }
  std::int64_t part() const override { return part_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }
  RunFacts facts() const override { return workers_.with({.settings = settings_}); }

 private:
  Workers workers_;
  Function scan_;
  Passes passes_;
  Settings settings_;
  Range part_;
  AlignedArray<T> values_, sums_;
  There<T> values_there_, sums_there_;
};

template <class Method>
Passes passes_of() {
  if constexpr (requires { Method::passes; })
    return Method::passes;
  else
    return {};
}

/// `.make` of a variant: Method's scan(values, sums, elements, workers). A Method may be constructed from options, and
/// may have
///
///     static constexpr Passes passes      number of passes over the arrays, else one
///     Settings settings() const           for the record
template <class Method, template <class> class There = Here>
auto by(StartWorkers* start_workers) {
  return [start_workers](const Options& asked) {
    const auto made = [&]<class T>(T) -> std::unique_ptr<Scanner> {
      const Method method = method_of<Method>(asked);
      return std::make_unique<ArrayScanner<T, There>>(
          start_workers(asked), [method](const auto&... arguments) { method.scan(arguments...); }, passes_of<Method>(),
          settings_of(method));
    };
    return asked.precision == Precision::f64 ? made(double()) : made(float());
  };
}

}  // namespace boltzmark::scan
