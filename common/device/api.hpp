// The interface between host code for devices and their APIs. Host code is compiled once; a program's main chooses the
// implementation by device::use().
//
// A new API (SYCL, Level Zero) is one folder, <api>/runtime, with an Api and six classes:
//   Api            its name and abilities, find_devices(), open(), and its compiler's options
//   ContextBase    an open device: memory, queues, programs from source or from a binary
//   ModuleBase    kernels by name, and the binary for the cache
//   KernelBase     a kernel with its arguments, each a value of some bytes or local memory
//   QueueBase      commands in order: launches, copies, fills; repeated ones may be recorded
//   EventBase      the end of a command
// Its kernels are the files <workload>/kernels/*.cl; a header before them (Api::language) may make them another
// language.
//
// Host code shares these by Context, Module, Kernel, Queue and Event, and memory by Buffer.
// A failing call throws Failure, which attempt() makes an Error of one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark::device {

struct BuildOptions;
struct ComputeDevice;
struct KernelShape;

/// A call of the API that failed.
class Failure : public std::exception {
 public:
  enum class Kind { other, out_of_memory, too_large_group, out_of_resources };
  /// status: its name in the API's specification; line: that name, the call, and the meaning for a user.
  Failure(Kind kind, std::string status, std::string line)
      : kind_(kind), status_(std::move(status)), line_(std::move(line)) {}
  bool is_for_memory() const { return kind_ == Kind::out_of_memory || kind_ == Kind::out_of_resources; }
  bool is_for_group() const { return kind_ == Kind::too_large_group || kind_ == Kind::out_of_resources; }
  const std::string& status() const { return status_; }
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  Kind kind_;
  std::string status_, line_;
};

/// Returns what `work` returns. A Failure in it becomes Error (unavailable): "cannot DOING: " and its line.
template <class Work>
decltype(auto) attempt(std::string_view doing, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Failure& failure) {
    throw unavailable("cannot {}: {}", doing, failure.what());
  }
}

/// Memory that kernels use. A kernel does not keep its buffers alive.
class Buffer {
 public:
  Buffer() = default;
  /// native: the API's own handle (cl_mem, CUdeviceptr), which kernels take as an argument.
  Buffer(std::shared_ptr<void> owner, void* native, void* host)
      : owner_(std::move(owner)), native_(native), host_(host) {}
  void* native() const { return native_; }
  void* host() const { return host_; }  ///< of pinned memory, as the host sees it
  explicit operator bool() const { return native_ != nullptr; }

 private:
  std::shared_ptr<void> owner_;
  void *native_ = nullptr, *host_ = nullptr;
};

/// Local memory (shared memory in CUDA) as an argument.
struct Local {
  std::size_t bytes;
};

/// An argument whose type the host chooses at run time: a structure of floats or of doubles.
class Value {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  explicit Value(const T& value) : size_(sizeof value) {
    static_assert(sizeof value <= sizeof bytes_);
    std::memcpy(bytes_.data(), &value, sizeof value);
  }
  const void* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }

 private:
  alignas(16) std::array<std::byte, 128> bytes_ = {};
  std::size_t size_;
};

/// Work-items, or those of a group, in up to three dimensions; in zero dimensions the queue chooses.
class Range {
 public:
  Range() = default;
  template <class... Sizes>
  requires(sizeof...(Sizes) > 0 && (std::is_integral_v<Sizes> && ...)) Range(Sizes... sizes)
      : dimensions_(sizeof...(Sizes)), sizes_{static_cast<std::size_t>(sizes)...} {
    for (std::size_t axis = dimensions_; axis < sizes_.size(); ++axis) sizes_[axis] = 1;
  }
  std::size_t dimensions() const { return dimensions_; }
  std::size_t operator[](std::size_t axis) const { return sizes_[axis]; }
  const std::size_t* data() const { return sizes_.data(); }

 private:
  std::size_t dimensions_ = 0;
  std::array<std::size_t, 3> sizes_ = {1, 1, 1};
};

/// Bytes of a buffer, or rows of bytes that start `pitch` bytes apart, and `host_pitch` bytes apart on the other side
/// of a copy.
struct Region {
  std::size_t first, row_bytes, rows = 1, pitch = 0, host_pitch = 0;
};

/// The end of a command.
class EventBase {
 public:
  virtual ~EventBase() = default;
  virtual void wait() = 0;
  virtual bool is_complete() = 0;
  /// When the command began and ended, on one clock of the device, if it is complete and its queue is timed. If an API
  /// reports only the end, both are the end.
  virtual std::array<std::uint64_t, 2> nanoseconds() = 0;
};
using Event = std::shared_ptr<EventBase>;
using Events = std::span<const Event>;

class KernelBase {
 public:
  virtual ~KernelBase() = default;
  virtual void bind(unsigned position, const void* value, std::size_t bytes) = 0;
  virtual void bind_local(unsigned position, std::size_t bytes) = 0;
  /// Work-items that a group of it may have.
  virtual std::size_t most_items() = 0;
};

class ModuleBase {
 public:
  virtual ~ModuleBase() = default;
  virtual std::shared_ptr<KernelBase> kernel(const char* name) = 0;
  /// The binary, from which ContextBase::load makes the module again.
  virtual std::vector<unsigned char> binary() = 0;
};
using Module = std::shared_ptr<ModuleBase>;

/// A kernel with its arguments: Kernel(module, "step", grid, sums, Local{bytes}, c).
class Kernel {
 public:
  Kernel() = default;
  template <class... Arguments>
  Kernel(const Module& module, const char* name, const Arguments&... arguments) : base_(module->kernel(name)) {
    rebind(arguments...);
  }
  /// Sets the first arguments, which are those that change from launch to launch.
  template <class... Arguments>
  void rebind(const Arguments&... arguments) const {
    unsigned position = 0;
    (bind(position++, arguments), ...);
  }
  std::size_t most_items() const { return base_->most_items(); }
  KernelBase& base() const { return *base_; }

 private:
  template <class T>
  void bind(unsigned position, const T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    base_->bind(position, &value, sizeof value);
  }
  void bind(unsigned position, const Buffer& buffer) const { bind(position, buffer.native()); }
  void bind(unsigned position, const Value& value) const { base_->bind(position, value.data(), value.size()); }
  void bind(unsigned position, const Local& local) const { base_->bind_local(position, local.bytes); }

  std::shared_ptr<KernelBase> base_;
};

/// Recorded commands that are enqueued again as one.
using Recording = std::shared_ptr<void>;

enum class Direction { to_host, to_device };

/// Commands of a device, in order. Each may wait for events of other queues (`after`) and sets its own event (`done`).
class QueueBase {
 public:
  virtual ~QueueBase() = default;
  /// `global` is a multiple of `group`, or without one any number of work-items.
  virtual void launch(const Kernel& kernel, const Range& global, const Range& group = {}, Events after = {},
                      Event* done = nullptr) = 0;
  /// To or from the host's memory, in the background unless it `waits`; the host's memory is not changed by to_device.
  /// In a queue between devices (ContextBase::queue) the other side is memory of any of them.
  virtual void transfer(Direction direction, const Buffer& buffer, const Region& region, void* host, Events after,
                        Event* done, bool waits) = 0;
  void start_read(const Buffer& from, const Region& region, void* to, Events after = {}, Event* done = nullptr) {
    transfer(Direction::to_host, from, region, to, after, done, false);
  }
  void start_write(const Buffer& to, const Region& region, const void* from, Events after = {}, Event* done = nullptr) {
    transfer(Direction::to_device, to, region, const_cast<void*>(from), after, done, false);
  }
  /// The same, returning when it is done.
  void read(const Buffer& from, const Region& region, void* to) {
    transfer(Direction::to_host, from, region, to, {}, nullptr, true);
  }
  void read(const Buffer& from, std::size_t first, std::size_t bytes, void* to) { read(from, {first, bytes}, to); }
  void write(const Buffer& to, std::size_t first, std::size_t bytes, const void* from) {
    transfer(Direction::to_device, to, {first, bytes}, const_cast<void*>(from), {}, nullptr, true);
  }
  virtual void fill(const Buffer& buffer, std::uint32_t word, std::size_t first, std::size_t bytes) = 0;
  virtual void copy(const Buffer& from, std::size_t from_first, const Buffer& to, std::size_t to_first,
                    std::size_t bytes) = 0;
  /// Later commands wait for these.
  virtual void wait_for(Events events) = 0;
  /// The end of all commands in the queue so far.
  virtual Event marker() = 0;
  virtual void flush() = 0;
  virtual void finish() = 0;
  /// Enqueues the same commands every time: those of the first call of `enqueue_once`. An API without recording calls
  /// `enqueue_once` each time.
  virtual void repeat(Recording& recording, const std::function<void()>& enqueue_once) = 0;
  /// In a queue between devices: writes a word when all earlier commands are done and visible to other devices; and
  /// waits until a word is this value, or up to 2^31 - 1 more.
  virtual void write_word(const Buffer& to, std::size_t at, std::uint32_t word) = 0;
  virtual void wait_for_word(const Buffer& in, std::size_t at, std::uint32_t word) = 0;
  virtual void* native() = 0;  ///< cl_command_queue, CUstream
};
using Queue = std::shared_ptr<QueueBase>;

enum class MemoryKind {
  device,
  pinned,   ///< host memory, at Buffer::host(), that the device copies directly and kernels can use
  host,     ///< the caller's
  managed,  ///< managed memory, whose pages migrate on access (Api::has_managed_memory)
};
enum class QueueKind {
  plain,
  timed,            ///< events of its commands have times
  between_devices,  ///< see QueueBase; its kernels start before those waiting in other queues
};

/// Name of a buffer for other processes of this machine.
using PeerName = std::array<char, 64>;

class ContextBase {
 public:
  virtual ~ContextBase() = default;
  virtual Buffer allocate(std::size_t bytes, MemoryKind kind = MemoryKind::device, void* host = nullptr) = 0;
  virtual Queue queue(QueueKind kind = QueueKind::plain) = 0;
  /// Throws Error (unavailable) with the compiler's log if the source does not build.
  virtual Module build(std::string_view source, const std::string& options, const KernelShape& shape) = 0;
  /// From a binary that build() made with the same options.
  virtual Module load(const std::vector<unsigned char>& binary, const std::string& options) = 0;

  /// Memory shared by processes, if the API has it (Api::has_peers): the reason why this machine lacks it, else ""; and
  /// a buffer for others, of at least peer_bytes().
  virtual std::string missing_for_peers() { return "peer memory"; }
  virtual PeerName name_for_peers(const Buffer&) { return {}; }
  virtual Buffer open_peer(const PeerName&) { return {}; }
};
using Context = std::shared_ptr<ContextBase>;

/// Whole pages of the device, because data in the same page as a shared buffer would be shared too.
constexpr std::size_t peer_bytes(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  return (bytes + page - 1) / page * page;
}

struct Api {
  Api() = default;
  virtual ~Api() = default;
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;
  const char *name = "", *model = "";                               ///< "OpenCL", and its folder, "opencl"
  const char *compiler_option = "", *compiler_option_example = "";  ///< "cl-options", "-cl-fast-relaxed-math"
  bool may_be_processor = false;                                    ///< a device; else all are GPUs
  bool kernels_write_to_host = false;  ///< pinned memory written by a kernel is complete when the queue is done
  bool has_peers = false;              ///< ContextBase::open_peer, and queues between devices
  bool has_managed_memory = false;     ///< MemoryKind::managed
  bool records = false;                ///< Queue::repeat
  int most_recorded = 1;               ///< commands worth recording together
  std::string_view language = "";      ///< header placed before each kernel source

  /// In the order of --list-devices. Throws Error (unavailable) if there are no devices.
  virtual std::vector<ComputeDevice> find_devices() const = 0;
  virtual Context open(const ComputeDevice& device) const = 0;
  /// Compiler options, the user's last.
  virtual std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                                       const KernelShape& shape) const = 0;
};

/// To be called once, before any other device function.
void use(const Api& api);
const Api& api();

}  // namespace boltzmark::device
