// A device that is open for measuring.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark {

namespace opencl {
/// The kernels' sources, with what they include.
extern const std::string_view bandwidth_source, flops_source, launch_source;
}  // namespace opencl

using opencl::attempt, opencl::build_program, opencl::DeviceType, opencl::find_devices, opencl::ComputeDevice;
using opencl::bandwidth_source, opencl::flops_source, opencl::launch_source;

/// Context and queue of a device; they come into being when first asked for, and stay.
class Session {
 public:
  explicit Session(ComputeDevice opened) : device(std::move(opened)) {}

  const ComputeDevice device;

  const cl::Context& context();  ///< throws Error (unavailable)
  cl::CommandQueue& queue();     ///< throws Error (unavailable)

  /// Seconds on the host from before `enqueue(queue)` puts work into the queue until all of it is done.
  /// Throws Error (unavailable).
  template <class Enqueue>
  double host_seconds(const Enqueue& enqueue) {
    cl::CommandQueue& work = queue();
    return attempt("measure " + device.name, [&] {
      work.finish();
      const auto start = std::chrono::steady_clock::now();
      enqueue(work);
      work.finish();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  }

  /// Seconds on the device from the start of the first to the end of the last kernel that
  /// `enqueue(queue, rounds, first, last)` puts into the queue, with events for these two. A quarter of the
  /// rounds runs ahead, untimed, for a device that was idle takes its time to get all its units to work.
  /// Throws Error (unavailable).
  template <class Enqueue>
  double device_seconds(long rounds, const Enqueue& enqueue) {
    cl::CommandQueue& work = queue();
    return attempt("measure " + device.name, [&] {
      cl::Event first, last;
      enqueue(work, rounds / 4 + 1, nullptr, nullptr);
      enqueue(work, rounds, &first, &last);
      work.finish();
      const cl_ulong start = first.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                     end = last.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      return 1e-9 * static_cast<double>(end - start);
    });
  }

  bool is_cpu() const { return device.type == DeviceType::cpu; }
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

  cl::Context context_;
  cl::CommandQueue queue_;
  bool open_ = false;
};

// Each registers its benchmarks for the device with that number.
void add_bandwidth(int number, const std::shared_ptr<Session>& session);
void add_compute(int number, const std::shared_ptr<Session>& session);
void add_launch_and_transfer(int number, const std::shared_ptr<Session>& session);

}  // namespace boltzmark
