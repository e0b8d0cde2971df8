// A device whose benchmarks are registered before it is opened: its context and queue, and timed work on it.
#pragma once

#include "analysis/peaks/harness.hpp"
#include "common/base/clock.hpp"
#include "common/device/build.hpp"

namespace boltzmark::peaks {

using namespace device;

/// Context and queue of a device; they are opened when first asked for, and stay.
class OpenDevice {
 public:
  explicit OpenDevice(ComputeDevice opened) : device(std::move(opened)) {}

  const ComputeDevice device;

  /// Each throws Error (unavailable).
  const Context& context() { return open(), context_; }
  const Queue& queue() { return open(), queue_; }
  Module build(std::string_view source, const std::string& options) { return context()->build(source, options, {}); }

  /// From before `enqueue(queue)` until all of its work is done. Throws Error (unavailable).
  template <class Enqueue>
  double host_seconds(const Enqueue& enqueue) {
    const Queue& work = queue();
    return attempt("measure " + device.name, [&] {
      work->finish();
      const auto start = Clock::now();
      enqueue(work);
      work->finish();
      return seconds_since(start);
    });
  }

  /// Seconds on the device from the start of the first to the end of the last kernel that `enqueue(queue, rounds,
  /// first, last)` puts into the queue, with events for these two. A quarter of the rounds runs untimed in advance,
  /// because an idle device needs time to start all its units. Throws Error (unavailable).
  template <class Enqueue>
  double device_seconds(long rounds, const Enqueue& enqueue) {
    const Queue& work = queue();
    return attempt("measure " + device.name, [&] {
      Event first, last;
      enqueue(work, rounds / 4 + 1, nullptr, nullptr);
      enqueue(work, rounds, &first, &last);
      work->finish();
      return 1e-9 * static_cast<double>(last->nanoseconds()[1] - first->nanoseconds()[0]);
    });
  }

  /// Batches of one launch. The first argument, not bound yet, is the number of rounds; `buffers` are kept alive.
  std::function<Batch(long)> rounds_of(const Kernel& kernel, const Range& global, std::size_t items,
                                       const std::vector<Buffer>& buffers = {}) {
    return [=, this, kept = buffers](long all_rounds) mutable {
      return Batch{device_seconds(all_rounds, [&](const Queue& work, long rounds, Event* event, Event* last) {
        kernel.rebind(static_cast<std::uint32_t>(rounds));
        work->launch(kernel, global, Range(items), {}, event);
        if (last) *last = *event;
      })};
    };
  }

  bool is_cpu() const { return device.type == DeviceType::cpu; }
  /// A CPU's threads wake up one after another, in a virtual machine some milliseconds apart.
  double batch_seconds() const { return is_cpu() ? 40e-3 : 10e-3; }
  /// One on a CPU, where a group is a loop; else the largest power of two up to 256 that the device runs.
  std::size_t group_items() const {
    if (is_cpu()) return 1;
    std::size_t items = 256;
    while (items > std::min(device.max_work_group, device.max_work_group_x)) items /= 2;
    return items;
  }
  /// Groups that a device of this size certainly holds at the same time.
  std::size_t resident_groups() const {
    // A GPU's unit holds 1024 items even when each has 64 registers.
    const std::size_t groups_in_unit = is_cpu() ? 1 : 1024 / group_items();
    return static_cast<std::size_t>(std::max(device.units, 1)) * groups_in_unit;
  }

 private:
  void open() {
    if (queue_) return;
    attempt("open " + device.name, [&] {
      context_ = api().open(device);
      queue_ = context_->queue(QueueKind::timed);
    });
  }

  Context context_;
  Queue queue_;
};

}  // namespace boltzmark::peaks
