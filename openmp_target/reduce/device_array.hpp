// The array on an offload device, and what its regions recorded: what the variants of reduce-openmp-target share. Included
// by the files with target regions.
#pragma once

#include "common/base/error.hpp"
#include "common/reduce/reducer.hpp"
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// Values written by the threads that will read them.
template <class Op, class T>
void fill_values(T* values, std::int64_t count, bool is_ramp, const Launch& launch, LaunchRecord* record) {
  const int device = launch.device, teams = launch.teams, threads = launch.threads;
#pragma omp target teams is_device_ptr(values, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const IndexRange range = indices_of_thread(count);
    for (std::int64_t i = range.begin; i < range.end; i += range.stride)
      values[i] = is_ramp ? static_cast<T>(i) : Op::template value<T>(static_cast<unsigned int>(i));
  }
}

/// Whoever derives from it says how a result is found: Way::reduce<Op, T>(values, count, launch, record, scratch).
template <class Way>
class DeviceReducer : public reduce::Reducer {
 public:
  DeviceReducer(const OffloadDevice& device, std::optional<int> threads)
      : device_(device), asked_threads_(threads) {}

  std::string shortage(double bytes) override {
    const std::string found = memory_shortage_on(device_, bytes);
    return found.empty() ? "" : found + " on " + device_.name();
  }

  void init(const reduce::Task& task) override {
    task_ = task;
    launch_ = launch_for(device_, asked_threads_, task.elements);
    const std::int64_t words = task.elements * (task.is_wide ? 2 : 1);
    memory_ = std::make_unique<DeviceArray<std::uint32_t>>(words, device_.number);
    record_ = std::make_unique<DeviceArray<LaunchRecord>>(1, device_.number);
    launch_.teams = std::min(launch_.teams, most_teams);
    scratch_ = std::make_unique<DeviceArray<std::uint64_t>>(launch_.all_threads(), device_.number);
    if (!*memory_ || !*record_ || !*scratch_)
      throw unavailable("{}: expected memory for {} values, found less", device_.name(), task.elements);
    if (!device_.properties.is_gpu()) memory_->use_huge_pages();
    const LaunchRecord none;
    record_->write(0, 1, &none);
    reduce::with_operator(task_, [&]<class Op, class T>(Op, T) {
      fill_values<Op>(values<T>(), task_.elements, task_.is_ramp, launch_, record_->data());
      return 0;
    });
    regions_ = 1;
    confirm();
  }

  reduce::Result reduce() override {
    regions_ += Way::regions;
    return reduce::with_operator(task_, [&]<class Op, class T>(Op op, T) {
      return Way::reduce(op, values<T>(), task_.elements, launch_, record_->data(), scratch_->data());
    });
  }

  void confirm() override {
    record_->read(0, 1, &found_);
    check_launches(device_, found_, regions_, launch_);
  }
  RunFacts facts() const override { return device_facts(device_, launch_, found_); }

 private:
  /// On a GPU each thread has many values: enough threads to keep the memory busy.
  static constexpr int most_teams = 2048;

  template <class T>
  T* values() const {
    return reinterpret_cast<T*>(memory_->data());
  }

  OffloadDevice device_;
  std::optional<int> asked_threads_;
  reduce::Task task_;
  Launch launch_;
  std::unique_ptr<DeviceArray<std::uint32_t>> memory_;
  std::unique_ptr<DeviceArray<LaunchRecord>> record_;
  std::unique_ptr<DeviceArray<std::uint64_t>> scratch_;  ///< room for a partial result of each thread
  LaunchRecord found_;
  std::int64_t regions_ = 0;
};

}  // namespace boltzmark::openmp_target
