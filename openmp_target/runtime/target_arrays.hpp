// Arrays of values and of results on an offload device, shared by workloads with one input and one output. Included by
// files with target regions.
#pragma once

#include <limits>
#include <span>

#include "common/base/eighths.h"
#include "openmp_target/runtime/on_device.hpp"

namespace boltzmark::openmp_target {

template <class Workload, class T>
class TargetArrays : public OnDevice<Workload> {
 public:
  using OnDevice<Workload>::OnDevice;

  std::string shortage(double bytes) override { return this->shortage_for(bytes); }
  /// On processors written first by the threads that will write them: lines written by the host's thread cost small
  /// prefix sums a third of their time.
  void spoil() override {
    parts_.spoil();
    if (this->is_gpu()) return results_.spoil();
    T* const results = results_.data();
    this->each_number(results_.size(), [=](std::int64_t i) { results[i] = std::numeric_limits<T>::quiet_NaN(); });
  }
  void read(std::int64_t at, std::span<double> to) override { results_.read_as_doubles(at, to); }

 protected:
  /// Filled with exact values (common/base/eighths.h) by the threads that will read them.
  void make_arrays(std::int64_t count, std::int64_t results, std::int64_t parts) {
    values_ = DeviceArray<T>(count, this->device_.number);
    results_ = DeviceArray<T>(results, this->device_.number);
    parts_ = DeviceArray<T>(parts, this->device_.number);
    if (!this->is_gpu())
      for (const auto* array : {&values_, &results_}) array->use_huge_pages();
    T* const values = values_.data();
    this->each_number(count, [=](std::int64_t i) {
      values[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
    });
    this->confirm();
  }

  DeviceArray<T> values_, results_, parts_;
};

}  // namespace boltzmark::openmp_target
