// Common to every solver of this model: a device, the launch of its regions, and their record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/calls.hpp"
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {

/// Number of regions launched so far, also in Calls; the host waits for each.
class Regions {
 public:
  Regions& operator++() { return *this += 1; }
  Regions& operator+=(std::int64_t more) {
    number_ += more;
    calls.launches += more;
    calls.waits += more;
    return *this;
  }
  operator std::int64_t() const { return number_; }

 private:
  std::int64_t number_ = 0;
};

struct NoInterface {};

/// A `Workload`, a solver's interface, on the device that options choose; members of the interface override it.
template <class Workload = NoInterface>
class OnDevice : public Workload {
 public:
  explicit OnDevice(const Options& options)
      : device_(choose_device(options)),
        asked_threads_(options.number("threads")),
        record_(on_device(std::vector<LaunchRecord>(1), device_.number)) {
    wake_device = [number = device_.number] { wake(number); };
    small_kernels = [number = device_.number](int kernels) { empty_regions(number, kernels); };
  }

  /// Throws Error (unavailable) if regions did not run on the device, or had other threads than requested.
  void confirm() {
    record_.read(0, 1, &found_);
    check_launches(device_, found_, regions_, launch_);
  }

  RunFacts facts() const { return device_facts(device_, launch_, found_); }

 protected:
  RunFacts facts_with(double bytes_per_update, double fetched = 0.0) const {
    RunFacts facts = OnDevice::facts();
    facts.bytes_per_update = bytes_per_update;
    facts.fetched_per_update = fetched;
    return facts;
  }
  /// Sets the launch of later regions over this many items.
  void launch_over(std::int64_t items) { launch_ = launch_for(device_, asked_threads_, items); }
  std::string shortage_for(double bytes, bool on_host_too = false) const {
    return shortage_on(device_, bytes, on_host_too);
  }
  bool is_gpu() const { return device_.properties.is_gpu(); }

  /// One region that does work(i) for every i below `count`; `work` holds numbers and device addresses.
  template <class Work>
  void each_number(std::int64_t count, Work work) {
    struct Copy {
      alignas(Work) unsigned char bytes[sizeof(Work)];
    } copy;
    __builtin_memcpy(copy.bytes, &work, sizeof work);
    LaunchRecord* const record = record_.data();
    const int device = launch_.device, teams = launch_.teams_for(count), threads = launch_.threads;
#pragma omp target teams is_device_ptr(record) firstprivate(copy) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const Work& here = *reinterpret_cast<const Work*>(copy.bytes);
      const IndexRange range = indices_of_thread(count);
      for (std::int64_t i = range.begin; i < range.end; i += range.stride) here(i);
    }
    ++regions_;
  }

  OffloadDevice device_;
  std::optional<int> asked_threads_;
  RegionLaunch launch_;
  DeviceArray<LaunchRecord> record_;  ///< for record_launch() of team.hpp
  Regions regions_;

 private:
  LaunchRecord found_;
};

}  // namespace boltzmark::openmp_target
