// A device that is open for measuring.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/peaks/harness.hpp"
#include "common/base/clock.hpp"
#include "common/device/build.hpp"
#include "common/device/device.hpp"

namespace boltzmark::peaks {

/// The kernels' sources, with what they include.
extern const std::string_view bandwidth_source, flops_source, latency_source, launch_source;

/// Context and queue of a device; they are opened when first asked for, and stay.
class OpenDevice {
 public:
  explicit OpenDevice(device::ComputeDevice opened) : device(std::move(opened)) {}

  const device::ComputeDevice device;

  /// Each throws Error (unavailable).
  const device::Context& context() { return open(), context_; }
  const device::Queue& queue() { return open(), queue_; }
  device::Module build(std::string_view source, const std::string& options) {
    return context()->build(source, options, {});
  }

  /// Seconds on the host from before `enqueue(queue)` puts work into the queue until all of it is done.
  /// Throws Error (unavailable).
  template <class Enqueue>
  double host_seconds(const Enqueue& enqueue) {
    const device::Queue& work = queue();
    return device::attempt("measure " + device.name, [&] {
      work->finish();
      const auto start = Clock::now();
      enqueue(work);
      work->finish();
      return seconds_since(start);
    });
  }

  /// Seconds on the device from the start of the first to the end of the last kernel that `enqueue(queue, rounds,
  /// first, last)` puts into the queue, with events for these two. A quarter of the rounds runs ahead, untimed, for a
  /// device that was idle takes its time to get all its units to work. Throws Error (unavailable).
  template <class Enqueue>
  double device_seconds(long rounds, const Enqueue& enqueue) {
    const device::Queue& work = queue();
    return device::attempt("measure " + device.name, [&] {
      device::Event first, last;
      enqueue(work, rounds / 4 + 1, nullptr, nullptr);
      enqueue(work, rounds, &first, &last);
      work->finish();
      return 1e-9 * static_cast<double>(last->nanoseconds()[1] - first->nanoseconds()[0]);
    });
  }

  /// Batches of one launch of a kernel whose first argument, not bound yet, is the number of rounds.
  std::function<Batch(long)> rounds_of(const device::Kernel& kernel, const device::Range& global) {
    return [=, this](long all_rounds) mutable {
      return Batch{device_seconds(
          all_rounds, [&](const device::Queue& work, long rounds, device::Event* event, device::Event* last) {
            kernel.rebind(static_cast<std::uint32_t>(rounds));
            work->launch(kernel, global, device::Range(group_items()), {}, event);
            if (last) *last = *event;
          })};
    };
  }

  bool is_cpu() const { return device.type == device::DeviceType::cpu; }
  /// What a batch of work should last. A CPU's threads wake up one after another, in a virtual machine some
  /// milliseconds apart.
  double batch_seconds() const { return is_cpu() ? 40e-3 : 10e-3; }
  /// Work-items of a group: on a CPU one, for a group is a loop there; else the largest power of two up to
  /// 256 that the device runs.
  std::size_t group_items() const {
    if (is_cpu()) return 1;
    std::size_t items = 256;
    while (items > std::min(device.max_work_group, device.max_work_group_x)) items /= 2;
    return items;
  }
  /// Groups that a device of this size holds at the same time, with room to spare.
  std::size_t resident_groups() const {
    // A GPU's unit holds 1024 items even when each has 64 registers.
    const std::size_t groups_in_unit = is_cpu() ? 1 : 1024 / group_items();
    return static_cast<std::size_t>(std::max(device.units, 1)) * groups_in_unit;
  }

 private:
  void open() {
    if (queue_) return;
    device::attempt("open " + device.name, [&] {
      context_ = device::api().open(device);
      queue_ = context_->queue(device::QueueKind::timed);
    });
  }

  device::Context context_;
  device::Queue queue_;
};

/// Registers all benchmarks of the device with that number.
void add_benchmarks(int number, const std::shared_ptr<OpenDevice>& opened);

}  // namespace boltzmark::peaks
