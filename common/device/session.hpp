// A device opened for one run: operations that all variants share, and the time that init spends on them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/aligned.hpp"
#include "common/device/build.hpp"
#include "common/device/device.hpp"
#include "common/device/kernel_cache.hpp"
#include "common/run/program.hpp"

namespace boltzmark::device {

/// Device memory that a variant asks for: `bytes` of it, a multiple of four, with `content` or filled with zeros.
struct BufferRequest {
  Buffer* buffer;
  std::size_t bytes;
  const void* content = nullptr;
};

/// Almost no work, so its time is the cost of a launch.
inline constexpr std::string_view small_kernel =
    "kernel void count_launches(global uint* counts) { ++counts[get_global_id(0)]; }\n";

class Session {
 public:
  /// Opens the device. Throws Error (unavailable) on failure.
  Session(const ComputeDevice& device, const BuildOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const ComputeDevice& device() const { return device_; }
  const Queue& queue() const { return queue_; }
  /// Another queue of the same device. Throws Error (unavailable).
  Queue another_queue(QueueKind kind = QueueKind::plain) const;
  const Context& context() const { return context_; }

  /// Builds a source, with the cache if the options allow it. Throws Error (unavailable) if it does not build, or Error
  /// (bad_input) if the user's own compiler options may be the cause.
  Module build(std::string_view source, const KernelShape& shape);

  /// Makes and fills buffers. Throws Error (unavailable), with the memory needed and available, if it does not suffice.
  void allocate(const std::vector<BufferRequest>& requests);

  /// A long array that a kernel fills; if it is in this machine's memory, on huge pages, unlike the driver's
  /// allocations. Valid as long as the session. Throws Error (unavailable).
  Buffer array(std::size_t bytes);
  /// Host memory (Buffer::host) that the device copies directly and in the background.
  Buffer pinned(std::size_t bytes);

  /// Enqueues the filling of a whole buffer, of a multiple of four bytes.
  void fill(const Buffer& buffer, std::size_t bytes, std::uint32_t word) const;
  void zero(const Buffer& buffer, std::size_t bytes) const { fill(buffer, bytes, 0); }
  /// Overwrites buffers of results with spoiled_word and waits (Implementation::spoil): completely the first time,
  /// later 1 KiB at each of 256 places that differ each time. Overwriting a whole array leaves dirty lines in the
  /// device's cache that the timed run then writes back; this cost prefix sums of 256 MiB a tenth of their rate on an
  /// H200. Throws Error (unavailable).
  void spoil(const std::vector<BufferRequest>& results);

  /// Values of the session's precision in a buffer, from number `first` on. Throws Error (unavailable).
  void read_values(const Buffer& buffer, std::int64_t first, std::span<double> values) const;

  /// Runs `launches`, the first launches of the kernels, in which drivers finish their setup, and waits for them.
  /// Throws Error (unavailable) if the device cannot run them in groups of this shape.
  void first_launches(WorkGroup group, const std::function<void()>& launches);

  /// Runs `work`, which copies the start state to the device, and waits for it.
  void upload(const std::function<void()>& work);

  /// Facts in every variant's record: device, driver, build, seconds of init, and the variant's `settings`.
  RunFacts facts(const Settings& settings) const;

 private:
  struct Built {
    Module module;
    std::string key;  ///< path in the cache; "" if it is stored already
  };
  /// Not where the driver does, which would have to compile every kernel once more to give its binary away.
  bool keeps_kernels() const { return options_.kernel_cache && !device_.keeps_kernels; }
  void keep_programs();

  const ComputeDevice device_;
  const BuildOptions options_;
  Context context_;
  std::vector<AlignedArray<unsigned char>> host_memory_;
  Queue queue_;
  KernelCache cache_;
  std::vector<Built> built_;
  std::map<const Buffer*, std::size_t> spoiled_;  ///< how often
  std::string cache_use_;                         ///< its text in the record; "" if nothing was built
  struct {
    double context = 0.0, build = 0.0, upload = 0.0;
  } init_seconds_;
};

}  // namespace boltzmark::device
