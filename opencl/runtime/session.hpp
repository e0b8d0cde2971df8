// A device opened for one run: what every variant does with it, and where the time of init goes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/base/clock.hpp"
#include "common/cpu/aligned.hpp"
#include "common/run/program.hpp"
#include "opencl/runtime/api.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/kernel_build.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Device memory that a variant asks for: `bytes` of it, a multiple of four, with `content` or filled with
/// zeros.
struct BufferRequest {
  cl::Buffer* buffer;
  std::size_t bytes;
  const void* content = nullptr;
};

class Session {
 public:
  /// Opens the device. Throws Error (unavailable) where that fails.
  Session(const ComputeDevice& device, const BuildOptions& options);

  const ComputeDevice& device() const { return device_; }
  cl::CommandQueue& queue() { return queue_; }
  /// Another queue of the same device; when commands of a timed one ended, their events tell. Throws Error
  /// (unavailable).
  cl::CommandQueue another_queue(bool is_timed = false) const;
  const cl::Context& context() const { return context_; }

  /// Builds one of the sources; the cache is used where the options allow it. A session builds once. Throws
  /// Error (unavailable) when it does not build, Error (bad_input) when the user's own compiler options may
  /// be why.
  cl::Program build(std::string_view source, const KernelShape& shape);

  /// Makes and fills buffers. Throws Error (unavailable) that says what is needed and what there is when the
  /// device's memory is not enough.
  void allocate(const std::vector<BufferRequest>& requests);

  /// A long array that a kernel fills: where it lies in this machine's memory, on huge pages, which the driver's own does
  /// not. As long as the session lives. Throws Error (unavailable).
  cl::Buffer array(std::size_t bytes);

  /// Enqueues the filling of a whole buffer, of a multiple of four bytes, with zeros.
  void zero(const cl::Buffer& buffer, std::size_t bytes);

  /// Runs `launches`, the first ones of the program's kernels, in which drivers finish what they left open,
  /// and waits for them. Throws Error (unavailable) when the device cannot run them in groups of this shape.
  template <class Launches>
  void first_launches(WorkGroup group, Launches&& launches) {
    const Timed timed(init_seconds_.build);
    try {
      launches();
      queue_.finish();
    } catch (const cl::Error& error) {
      refuse_launch(error, group);
    }
    keep_program();
  }

  /// Runs `work`, which brings the start state to the device, and waits for it.
  template <class Work>
  void upload(Work&& work) {
    const Timed timed(init_seconds_.upload);
    attempt("set the start state", [&] {
      work();
      queue_.finish();
    });
  }

  /// What every variant's record says: device, driver, build, seconds of init, and `settings` of its own.
  RunFacts facts(const Settings& settings) const;

 private:
  /// Adds the seconds that it lives to a sum.
  class Timed {
   public:
    explicit Timed(double& seconds) : seconds_(seconds) {}
    ~Timed() { seconds_ += seconds_since(start_); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

   private:
    double& seconds_;
    Clock::time_point start_ = Clock::now();
  };

  [[noreturn]] void refuse_launch(const cl::Error& error, WorkGroup group) const;
  void keep_program();

  const ComputeDevice device_;
  const BuildOptions options_;
  cl::Context context_;
  std::vector<AlignedArray<unsigned char>> host_memory_;
  cl::CommandQueue queue_;
  KernelCache cache_;
  cl::Program program_;
  std::string_view source_;
  std::string compiler_options_;
  std::string cache_use_;  ///< what the record says of it; "" where nothing was built
  struct {
    double context = 0.0, build = 0.0, upload = 0.0;
  } init_seconds_;
};

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
