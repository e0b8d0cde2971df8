// CUDA's driver API in the shape of the OpenCL C++ bindings: those of their classes and functions that the host code under
// opencl/ uses, by the same names. That code is compiled a second time for this model, where opencl/runtime/api.hpp
// includes this file instead of the bindings; nothing else of it knows.
//
// A context is the device's primary one, a queue a stream, a program a module. Objects are handles that share what they
// stand for, as in the bindings. Failures are thrown as cl::Error with CUDA's status.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda/runtime/driver.hpp"
#include "cuda/runtime/half.hpp"

#define BOLTZMARK_DEVICE_API cuda

namespace boltzmark::cuda {

inline constexpr const char *model_name = "cuda", *api_name = "CUDA", *compiler_option_name = "nvrtc-options",
                            *compiler_option_example = "--use_fast_math";
inline constexpr bool may_be_processor = false, has_cub = true, kernels_write_to_host = true;
inline constexpr bool has_peer_memory = true;  ///< between processes, see peer_memory.hpp

using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_ulong = std::uint64_t;
inline constexpr bool CL_TRUE = true, CL_FALSE = false;
inline constexpr unsigned CL_MEM_READ_WRITE = 1, CL_MEM_USE_HOST_PTR = 8, CL_MEM_ALLOC_HOST_PTR = 16,
                          CL_MAP_READ = 1, CL_MAP_WRITE = 2, CL_QUEUE_PROFILING_ENABLE = 2,
                          queue_between_devices = 4;  ///< see CommandQueue
enum Info { CL_KERNEL_WORK_GROUP_SIZE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_PROFILING_COMMAND_END };
inline constexpr int CL_COMPLETE = 0, CL_QUEUED = 3;
using cl_command_queue_properties = unsigned;

namespace cl {

class Error : public std::exception {
 public:
  Error(CUresult status, const char* call) : status_(status), call_(call) {}
  CUresult err() const { return status_; }
  const char* what() const noexcept override { return call_; }

 private:
  CUresult status_;
  const char* call_;
};

struct Device {
  CUdevice number = 0;
};

class Context {
 public:
  Context() = default;
  explicit Context(const Device& device);
  /// What is made in the context holds on to this: released while anything of it is there, it would come back as another
  /// one, in which the old handles mean something else.
  const std::shared_ptr<void>& primary() const { return primary_; }

 private:
  std::shared_ptr<void> primary_;
};

/// A number of work-items, or of those in a group, in up to three dimensions; none: the queue chooses.
class NDRange {
 public:
  NDRange() = default;
  template <class... Sizes>
  requires(sizeof...(Sizes) > 0 && (std::is_integral_v<Sizes> && ...)) NDRange(Sizes... sizes)
      : dimensions_(sizeof...(Sizes)) {
    std::size_t axis = 0;
    ((sizes_[axis++] = static_cast<std::size_t>(sizes)), ...);
  }
  std::size_t dimensions() const { return dimensions_; }
  std::size_t operator[](std::size_t axis) const { return sizes_[axis]; }

 private:
  std::size_t dimensions_ = 0;
  std::array<std::size_t, 3> sizes_ = {1, 1, 1};
};
inline const NDRange NullRange;

/// Memory of the device; or with CL_MEM_ALLOC_HOST_PTR pinned memory of the host, with CL_MEM_USE_HOST_PTR the caller's,
/// either as the device sees it.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Context& context, unsigned flags, std::size_t bytes, void* host = nullptr);
  CUdeviceptr operator()() const { return memory_ ? memory_->device : 0; }
  void* host() const { return memory_ ? memory_->host : nullptr; }

 private:
  struct Memory {
    std::shared_ptr<void> context;
    CUdeviceptr device = 0;
    void* host = nullptr;
    int (*release)(const Memory&) = nullptr;
    ~Memory();
  };
  std::shared_ptr<Memory> memory_;
};

/// Local memory for a kernel's parameter.
struct LocalSpaceArg {
  std::size_t bytes;
};
inline LocalSpaceArg Local(std::size_t bytes) { return {bytes}; }

class Event {
 public:
  Event() = default;
  CUevent operator()() const { return static_cast<CUevent>(event_.get()); }
  /// origin: an event of the same context from which this one's time is counted; none: it has no time.
  void record(CUstream stream, const std::shared_ptr<void>& origin);
  void wait() const;
  template <Info what>
  int getInfo() const {
    static_assert(what == CL_EVENT_COMMAND_EXECUTION_STATUS);
    return is_complete() ? CL_COMPLETE : CL_QUEUED;
  }
  /// Nanoseconds since the first of the timed queues was opened, of an event of a timed queue that is complete. The driver tells
  /// milliseconds as a float: after a minute to 4 microseconds.
  template <Info what>
  cl_ulong getProfilingInfo() const {
    static_assert(what == CL_PROFILING_COMMAND_END);
    return nanoseconds();
  }
  static void waitForEvents(const std::vector<Event>& events);

 private:
  bool is_complete() const;
  cl_ulong nanoseconds() const;

  std::shared_ptr<void> event_, origin_;
};

/// A module, loaded from a cubin or from PTX; most_registers: of an item, where PTX is assembled; 0 = any number.
class Program {
 public:
  Program() = default;
  Program(const Context& context, const std::string& image, int most_registers);
  CUmodule operator()() const { return static_cast<CUmodule>(module_.get()); }
  const std::string& image() const { return *image_; }

 private:
  std::shared_ptr<const std::string> image_;
  std::shared_ptr<void> module_;
};

class Kernel {
 public:
  Kernel() = default;
  Kernel(const Program& program, const char* name);

  template <class T>
  void setArg(unsigned position, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Argument::bytes));
    std::memcpy(argument(position).bytes.data(), &value, sizeof value);
  }
  void setArg(unsigned position, const Buffer& buffer) { setArg(position, buffer()); }
  void setArg(unsigned position, const LocalSpaceArg& local);

  /// The most work-items of a group that its registers allow.
  template <Info what>
  std::size_t getWorkGroupInfo(const Device&) const {
    static_assert(what == CL_KERNEL_WORK_GROUP_SIZE);
    return most_items();
  }

  CUfunction operator()() const { return function_; }
  std::size_t local_bytes() const { return local_bytes_; }
  /// Of all arguments, as a launch wants it.
  std::vector<void*> argument_pointers() const;

 private:
  struct Argument {
    alignas(16) std::array<std::byte, 128> bytes;
    std::size_t local_bytes = 0;
  };
  Argument& argument(unsigned position);
  std::size_t most_items() const;

  Program program_;
  CUfunction function_ = nullptr;
  std::vector<Argument> arguments_;
  std::size_t large_array_bytes_ = 0;  ///< of the kernel's LARGE_LOCAL_ARRAY
  std::size_t local_bytes_ = 0;        ///< all dynamic shared memory
};

/// Commands of a queue that were recorded once and are put into it again as one launch: a CUDA graph.
class Recording {
 public:
  explicit operator bool() const { return graph_ != nullptr; }

 private:
  friend class CommandQueue;
  std::shared_ptr<void> graph_;
};

/// In order, like its stream. What reads and writes take for memory of the host is memory of any device that this one
/// reaches where the queue was opened with queue_between_devices.
class CommandQueue {
 public:
  using Events = const std::vector<Event>*;

  CommandQueue() = default;
  CommandQueue(const Context& context, const Device& device, cl_command_queue_properties properties = 0);
  CUstream operator()() const { return static_cast<CUstream>(stream_.get()); }

  /// Global sizes are rounded up to whole groups. Without a group's size it is up to 256 items along x.
  void enqueueNDRangeKernel(const Kernel& kernel, const NDRange& offset, const NDRange& global,
                            const NDRange& local = NullRange, Events after = nullptr, Event* done = nullptr);
  void enqueueReadBuffer(const Buffer& buffer, bool waits, std::size_t first, std::size_t bytes, void* to,
                         Events after = nullptr, Event* done = nullptr) const;
  void enqueueWriteBuffer(const Buffer& buffer, bool waits, std::size_t first, std::size_t bytes,
                          const void* from, Events after = nullptr, Event* done = nullptr);
  using Three = std::array<std::size_t, 3>;
  void enqueueReadBufferRect(const Buffer& buffer, bool waits, const Three& first, const Three& host_first,
                             const Three& region, std::size_t pitch, std::size_t slice_pitch,
                             std::size_t host_pitch, std::size_t host_slice_pitch, void* to,
                             Events after = nullptr, Event* done = nullptr);
  void enqueueWriteBufferRect(const Buffer& buffer, bool waits, const Three& first, const Three& host_first,
                              const Three& region, std::size_t pitch, std::size_t slice_pitch,
                              std::size_t host_pitch, std::size_t host_slice_pitch, const void* from,
                              Events after = nullptr, Event* done = nullptr);
  /// A pattern of words that are all the same.
  template <class T>
  void enqueueFillBuffer(const Buffer& buffer, T pattern, std::size_t first, std::size_t bytes) {
    std::array<cl_uint, sizeof(T) / sizeof(cl_uint)> words;
    std::memcpy(words.data(), &pattern, sizeof pattern);
    for (const cl_uint word : words)
      if (word != words[0]) throw Error(invalid_value, "a fill with different words");
    fill(buffer, words[0], first, bytes);
  }
  void enqueueCopyBuffer(const Buffer& from, const Buffer& to, std::size_t from_first, std::size_t to_first,
                         std::size_t bytes);
  void* enqueueMapBuffer(const Buffer& buffer, bool, unsigned, std::size_t first, std::size_t) {
    return static_cast<std::byte*>(buffer.host()) + first;
  }
  void enqueueUnmapMemObject(const Buffer&, void*) {}
  void enqueueBarrierWithWaitList(Events after) { wait_for(after); }
  /// A word of device memory, written when all that comes before in the queue is done and seen by other devices.
  void enqueueWriteWord(CUdeviceptr at, cl_uint value);
  /// Until the word is this value, or up to 2^31 - 1 beyond it.
  void enqueueWaitForWord(CUdeviceptr at, cl_uint value);
  void flush() const {}  // nothing is held back
  void finish() const;

  /// Records what `enqueue` puts into the queue, which does not run.
  Recording record(const std::function<void()>& enqueue);
  void enqueue(const Recording& recording);

 private:
  CUstream stream() const { return (*this)(); }
  void fill(const Buffer& buffer, cl_uint word, std::size_t first, std::size_t bytes);
  void wait_for(Events after) const;
  void done(bool waits, Event* event) const;
  /// A stretch of device memory to or from what takes the place of the host's.
  void copy_out(void* to, CUdeviceptr from, std::size_t bytes) const;
  void copy_in(CUdeviceptr to, const void* from, std::size_t bytes) const;
  /// The same of stretches.
  void copy_rows(Copy2D copy) const;

  bool is_between_devices_ = false;
  std::shared_ptr<void> stream_;
  std::shared_ptr<void> origin_;  ///< of its events' times, where they have any; all timed queues have one
};

}  // namespace cl

/// Commands that come again and again: recorded the first time, a graph's one launch each time. A node of a graph starts
/// sooner behind the one before than a launch by itself, which costs the host more than a step of a small grid takes.
class Repeated {
 public:
  static constexpr bool is_recorded = true;
  static constexpr int most_commands = 256;  ///< to make a graph takes a few microseconds for each
  template <class Enqueue>
  void enqueue(cl::CommandQueue& queue, const Enqueue& enqueue_once) {
    if (!recording_) recording_ = queue.record(enqueue_once);
    queue.enqueue(recording_);
  }

 private:
  cl::Recording recording_;
};

}  // namespace boltzmark::cuda
