// A device that is open for measuring.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "opencl/api.hpp"
#include "opencl/device.hpp"
#include "opencl/error.hpp"

namespace boltzmark {

/// The kernels' sources, with what they include.
extern const std::string_view bandwidth_source, flops_source, launch_source;

/// Context and queue of a device; they come into being when first asked for, and stay.
class Session {
 public:
  explicit Session(OpenclDevice opened) : device(std::move(opened)) {}

  const OpenclDevice device;

  const cl::Context& context();  ///< throws Error (unavailable)
  cl::CommandQueue& queue();     ///< throws Error (unavailable)

  /// Seconds from before `enqueue` puts work into the queue until all of it is done. Throws Error
  /// (unavailable).
  template <class Enqueue>
  double seconds(const Enqueue& enqueue) {
    cl::CommandQueue& work = queue();
    return attempt("measure " + device.name, [&] {
      work.finish();
      const auto start = std::chrono::steady_clock::now();
      enqueue(work);
      work.finish();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  }

  bool is_cpu() const { return device.type == DeviceType::cpu; }
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
