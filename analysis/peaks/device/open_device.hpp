// A device that is open for measuring.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/base/clock.hpp"
#include "common/device/device.hpp"

namespace boltzmark::peaks {

/// The kernels' sources, with what they include.
extern const std::string_view bandwidth_source, flops_source, launch_source;

/// Context and queue of a device; they are opened when first asked for, and stay.
class OpenDevice {
 public:
  explicit OpenDevice(device::ComputeDevice opened) : device(std::move(opened)) {}

  const device::ComputeDevice device;

  const device::Context& context();  ///< throws Error (unavailable)
  const device::Queue& queue();      ///< throws Error (unavailable)
  device::Module build(std::string_view source, const std::string& options);

  /// Seconds on the host from before `enqueue(queue)` puts work into the queue until all of it is done.
  /// Throws Error (unavailable).
  template <class Enqueue>
  double host_seconds(const Enqueue& enqueue) {
    const device::Queue& work = queue();
    return device::attempt("measure " + device.name, [&] {
      work.finish();
      const auto start = Clock::now();
      enqueue(work);
      work.finish();
      return seconds_since(start);
    });
  }

  /// Seconds on the device from the start of the first to the end of the last kernel that
  /// `enqueue(queue, rounds, first, last)` puts into the queue, with events for these two. A quarter of the
  /// rounds runs ahead, untimed, for a device that was idle takes its time to get all its units to work.
  /// Throws Error (unavailable).
  template <class Enqueue>
  double device_seconds(long rounds, const Enqueue& enqueue) {
    const device::Queue& work = queue();
    return device::attempt("measure " + device.name, [&] {
      device::Event first, last;
      enqueue(work, rounds / 4 + 1, nullptr, nullptr);
      enqueue(work, rounds, &first, &last);
      work.finish();
      return 1e-9 * static_cast<double>(last.end_nanoseconds() - first.start_nanoseconds());
    });
  }

  bool is_cpu() const { return device.type == device::DeviceType::cpu; }
  /// What a batch of work should last. A CPU's threads wake up one after another, in a virtual machine some
  /// milliseconds apart.
  double batch_seconds() const { return is_cpu() ? 40e-3 : 10e-3; }
  /// Work-items of a group: on a CPU one, for a group is a loop there; else the largest power of two up to
  /// 256 that the device runs.
  std::size_t group_items() const;
  /// Groups that a device of this size holds at the same time, with room to spare.
  std::size_t resident_groups() const;

 private:
  void open();

  device::Context context_;
  device::Queue queue_;
};

// Each registers its benchmarks for the device with that number.
void add_bandwidth(int number, const std::shared_ptr<OpenDevice>& opened);
void add_compute(int number, const std::shared_ptr<OpenDevice>& opened);
void add_launch_and_transfer(int number, const std::shared_ptr<OpenDevice>& opened);

}  // namespace boltzmark::peaks
