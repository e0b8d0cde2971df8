// The array on an offload device, shared by the variants of reduce-openmp-target. Included by the files with target
// regions.
#pragma once

#include "common/reduce/reducer.hpp"
#include "openmp_target/runtime/on_device.hpp"

namespace boltzmark::openmp_target {

/// `How` is the variant: How::reduce(op, values, count, launch, record, scratch, done), in this many regions.
template <class How>
class DeviceReducer : public OnDevice<reduce::Reducer> {
 public:
  using OnDevice<reduce::Reducer>::OnDevice;

  std::string shortage(double bytes) override { return shortage_for(bytes); }

  void init(const reduce::Task& task) override {
    task_ = task;
    const int value_bytes = task.is_wide ? 8 : 4;
    launch_over((task.elements * value_bytes + bytes_of_thread - 1) / bytes_of_thread);
    launch_.teams = std::min(launch_.teams, most_teams);
    memory_ = DeviceArray<std::uint32_t>(task.elements * (task.is_wide ? 2 : 1), device_.number);
    scratch_ = DeviceArray<std::uint64_t>(launch_.teams, device_.number);
    done_ = on_device(std::vector<std::uint32_t>(1), device_.number);
    if (!is_gpu()) memory_.use_huge_pages();
    reduce::with_operator(task_, [&]<class Op, class T>(Op, T) {
      T* const to = values<T>();
      const bool is_ramp = task_.is_ramp;
      each_number(task_.elements, [=](std::int64_t i) {
        to[i] = is_ramp ? static_cast<T>(i) : Op::template value<T>(static_cast<unsigned int>(i));
      });
      return 0;
    });
    confirm();
  }

  void spoil() override { scratch_.spoil(); }

  reduce::Result reduce() override {
    regions_ += How::regions;
    return reduce::with_operator(task_, [&]<class Op, class T>(Op op, T) {
      return How::reduce(op, values<T>(), task_.elements, launch_, record_.data(), scratch_.data(), done_.data());
    });
  }

 private:
  /// On a GPU each thread has many values: enough threads to keep the memory busy, and no more.
  static constexpr int bytes_of_thread = 64, most_teams = 1056;

  template <class T>
  T* values() const {
    return reinterpret_cast<T*>(memory_.data());
  }

  reduce::Task task_;
  DeviceArray<std::uint32_t> memory_;
  DeviceArray<std::uint64_t> scratch_;  ///< room for a partial result of each team
  DeviceArray<std::uint32_t> done_;     ///< teams that are done, 0 between regions
};

}  // namespace boltzmark::openmp_target
