// Arrays of values and of what is made of them on an offload device: what programs with one input and one output share.
// Included by files with target regions.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/eighths.h"
#include "common/base/error.hpp"
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// Exact values (common/base/eighths.h), written by the threads that will read them.
template <class T>
void fill_with_eighths(T* values, std::int64_t count, const Launch& launch, LaunchRecord* record) {
  const int device = launch.device, teams = launch.teams, threads = launch.threads;
#pragma omp target teams is_device_ptr(values, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const IndexRange range = indices_of_thread(count);
    for (std::int64_t i = range.begin; i < range.end; i += range.stride)
      values[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(i)));
  }
}

template <class T>
class TargetArrays {
 public:
  /// Throws Error (unavailable) where the device has too little memory.
  TargetArrays(const OffloadDevice& device, const Launch& launch, std::int64_t values, std::int64_t results,
               std::int64_t parts)
      : device_(device),
        launch_(launch),
        values_(values, device.number),
        results_(results, device.number),
        parts_(parts, device.number),
        record_(1, device.number) {
    if (!values_ || !results_ || !parts_ || !record_)
      throw unavailable("{}: expected memory for {} values, found less", device.name(), values);
    if (!device.properties.is_gpu())
      for (const auto* array : {&values_, &results_}) array->use_huge_pages();
    const LaunchRecord none;
    record_.write(0, 1, &none);
    fill_with_eighths(values_.data(), values, launch_, record_.data());
    regions_ = 1;
    confirm();
  }

  const T* values() const { return values_.data(); }
  T* results() const { return results_.data(); }
  T* parts() const { return parts_.data(); }
  LaunchRecord* record() const { return record_.data(); }
  const Launch& launch() const { return launch_; }
  void count_regions(int more) { regions_ += more; }

  void read(std::int64_t at, std::span<double> to) const {
    std::vector<T> read(to.size());
    results_.read(at, static_cast<std::int64_t>(read.size()), read.data());
    std::copy(read.begin(), read.end(), to.begin());
  }
  /// Throws Error (unavailable) where regions did not run on the device.
  void confirm() {
    record_.read(0, 1, &found_);
    check_launches(device_, found_, regions_, launch_);
  }
  RunFacts facts() const { return device_facts(device_, launch_, found_); }

 private:
  OffloadDevice device_;
  Launch launch_;
  DeviceArray<T> values_, results_, parts_;
  DeviceArray<LaunchRecord> record_;
  LaunchRecord found_;
  std::int64_t regions_ = 0;
};

}  // namespace boltzmark::openmp_target
