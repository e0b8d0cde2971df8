#include "cuda/runtime/context.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "common/run/calls.hpp"
#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

/// An event that is destroyed with its last owner.
std::shared_ptr<void> new_event(CUstream stream, unsigned flags) {
  CUevent event = nullptr;
  CHECKED(cuEventCreate, &event, flags);
  const std::shared_ptr<void> owned(event, [](void* old) { driver().cuEventDestroy_v2(static_cast<CUevent>(old)); });
  CHECKED(cuEventRecord, event, stream);
  return owned;
}

class CudaEvent final : public EventBase {
 public:
  /// origin: an event of the same context from which this one's time is counted; without it, the event has no time.
  CudaEvent(CUstream stream, std::shared_ptr<void> origin)
      : event_(new_event(stream, origin ? 0u : unsigned{event_without_timing})), origin_(std::move(origin)) {}

  void wait() override { CHECKED(cuEventSynchronize, handle()); }
  bool is_complete() override {
    const CUresult status = driver().cuEventQuery(handle());
    if (status != not_ready) check(status, "cuEventQuery");
    return status == success;
  }
  /// Since the first timed queue was opened. The driver returns float milliseconds, with a resolution of 4 microseconds
  /// after a minute.
  std::array<std::uint64_t, 2> nanoseconds() override {
    float milliseconds = 0.0f;
    CHECKED(cuEventElapsedTime, &milliseconds, static_cast<CUevent>(origin_.get()), handle());
    const auto end = static_cast<std::uint64_t>(1e6 * static_cast<double>(milliseconds));
    return {end, end};
  }
  CUevent handle() const { return static_cast<CUevent>(event_.get()); }

 private:
  std::shared_ptr<void> event_, origin_;
};

class CudaKernel final : public KernelBase {
 public:
  CudaKernel(std::shared_ptr<void> module, CUfunction function, std::uint32_t large_array_bytes)
      : module_(std::move(module)),
        function_(function),
        large_array_bytes_(large_array_bytes),
        local_bytes_(large_array_bytes) {}

  void bind(unsigned position, const void* value, std::size_t bytes) override {
    Argument& to = argument(position);
    if (bytes > to.bytes.size()) throw Failure(Failure::Kind::other, "", "an argument is too large");
    std::memcpy(to.bytes.data(), value, bytes);
  }
  /// All local memory of a launch is one array, of which each argument is a part.
  void bind_local(unsigned position, std::size_t bytes) override {
    argument(position).local_bytes = round_up(bytes);
    local_bytes_ = round_up(large_array_bytes_);
    for (Argument& each : arguments_) {
      if (each.local_bytes == 0) continue;
      const std::uint64_t first = local_bytes_;
      std::memcpy(each.bytes.data(), &first, sizeof first);
      local_bytes_ += each.local_bytes;
    }
  }
  std::size_t most_items() override {
    int items = 0;
    CHECKED(cuFuncGetAttribute, &items, most_threads_of_function, function_);
    return static_cast<std::size_t>(items);
  }

  CUfunction handle() const { return function_; }
  std::size_t local_bytes() const { return local_bytes_; }
  /// Addresses of all arguments, as needed by a launch.
  void** argument_pointers() { return pointers_.data(); }

 private:
  struct Argument {
    alignas(16) std::array<std::byte, 128> bytes;
    std::size_t local_bytes = 0;
  };

  static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  Argument& argument(unsigned position) {
    if (position >= arguments_.size()) {
      arguments_.resize(position + 1);
      pointers_.resize(arguments_.size());
      std::transform(arguments_.begin(), arguments_.end(), pointers_.begin(),
                     [](Argument& each) { return each.bytes.data(); });
    }
    return arguments_[position];
  }

  std::shared_ptr<void> module_;
  CUfunction function_;
  std::vector<Argument> arguments_;
  std::vector<void*> pointers_;
  std::size_t large_array_bytes_;  ///< of the kernel's LARGE_LOCAL_ARRAY
  std::size_t local_bytes_;        ///< all dynamic shared memory
};

class CudaModule final : public ModuleBase {
 public:
  /// Loaded from a cubin or from PTX. most_registers: per item, if PTX is assembled; 0 = any number.
  CudaModule(std::shared_ptr<void> context, std::string image, int most_registers) : image_(std::move(image)) {
    CUmodule loaded = nullptr;
    int name = jit_max_registers;
    void* value = reinterpret_cast<void*>(static_cast<std::size_t>(most_registers));
    CHECKED(cuModuleLoadDataEx, &loaded, image_.c_str(), most_registers > 0 ? 1 : 0, &name, &value);
    module_ = {loaded, [in = std::move(context)](void* old) { driver().cuModuleUnload(static_cast<CUmodule>(old)); }};
  }

  std::shared_ptr<KernelBase> kernel(const char* name) override {
    CUfunction function = nullptr;
    const auto module = static_cast<CUmodule>(module_.get());
    CHECKED(cuModuleGetFunction, &function, module, name);
    std::uint32_t array_bytes = 0;
    const std::string large_array = std::string(name) + "_local_bytes";
    if (image_.find(large_array) != image_.npos) {
      CUdeviceptr constant = 0;
      std::size_t bytes = 0;
      CHECKED(cuModuleGetGlobal_v2, &constant, &bytes, module, large_array.c_str());
      CHECKED(cuMemcpyDtoH_v2, &array_bytes, constant, sizeof array_bytes);
      CHECKED(cuFuncSetAttribute, function, max_dynamic_shared_bytes, static_cast<int>(array_bytes));
      CHECKED(cuFuncSetAttribute, function, preferred_shared_carveout, 100);  // per cent: all groups must fit
    }
    return std::make_shared<CudaKernel>(module_, function, array_bytes);
  }
  std::vector<unsigned char> binary() override { return {image_.begin(), image_.end()}; }

 private:
  std::string image_;
  std::shared_ptr<void> module_;
};

CUdeviceptr address_of(const Buffer& buffer) { return reinterpret_cast<CUdeviceptr>(buffer.native()); }
CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

class CudaQueue final : public QueueBase {
 public:
  CudaQueue(std::shared_ptr<void> context, QueueKind kind) : is_between_devices_(kind == QueueKind::between_devices) {
    static std::weak_ptr<void> common_origin;  // it must not outlive the context, which the next run opens again
    CUstream stream = nullptr;
    if (is_between_devices_) {
      int least = 0, greatest = 0;
      CHECKED(cuCtxGetStreamPriorityRange, &least, &greatest);
      CHECKED(cuStreamCreateWithPriority, &stream, nonblocking_stream, greatest);
    } else {
      CHECKED(cuStreamCreate, &stream, nonblocking_stream);
    }
    stream_ = {stream,
               [in = std::move(context)](void* old) { driver().cuStreamDestroy_v2(static_cast<CUstream>(old)); }};
    if (kind != QueueKind::timed) return;
    origin_ = common_origin.lock();
    if (origin_) return;
    common_origin = origin_ = new_event(stream, 0);
    finish();
  }

  /// Global sizes are rounded up to whole groups. Without a group's size it is up to 256 items along x.
  void launch(const Kernel& kernel, const Range& global, const Range& group, Events after, Event* event) override {
    constexpr std::size_t usual_items = 256;
    const Range items = group.dimensions() > 0 ? group : Range(std::min(global[0], usual_items));
    const auto groups = [&](std::size_t axis) {
      return static_cast<unsigned>((global[axis] + items[axis] - 1) / items[axis]);
    };
    auto& of_cuda = static_cast<CudaKernel&>(kernel.base());
    wait_for(after);
    ++calls.launches;
    CHECKED(cuLaunchKernel, of_cuda.handle(), groups(0), groups(1), groups(2), static_cast<unsigned>(items[0]),
            static_cast<unsigned>(items[1]), static_cast<unsigned>(items[2]),
            static_cast<unsigned>(of_cuda.local_bytes()), stream(), of_cuda.argument_pointers(), nullptr);
    done(false, event);
  }

  /// Rows too far apart for a rectangular copy are copied one by one.
  void transfer(Direction direction, const Buffer& buffer, const Region& region, void* host, Events after, Event* event,
                bool waits) override {
    constexpr std::size_t largest_pitch = 0x7fffffff;
    const bool reads = direction == Direction::to_host;
    wait_for(after);
    if (reads && buffer.host() && region.pitch == 0 && waits && !is_between_devices_) {
      done(waits, event);
      std::memcpy(host, static_cast<const std::byte*>(buffer.host()) + region.first, region.row_bytes);
      return;
    }
    if (region.pitch > 0 && region.pitch <= largest_pitch)
      copy_rectangle(reads, address_of(buffer), region, host);
    else
      for (std::size_t y = 0; y < region.rows; ++y)
        copy_row(reads, address_of(buffer) + region.first + y * region.pitch,
                 static_cast<std::byte*>(host) + y * region.host_pitch, region.row_bytes);
    done(waits, event);
  }

  void fill(const Buffer& buffer, std::uint32_t word, std::size_t first, std::size_t bytes) override {
    CHECKED(cuMemsetD32Async, address_of(buffer) + first, word, bytes / sizeof word, stream());
  }
  void copy(const Buffer& from, std::size_t from_first, const Buffer& to, std::size_t to_first,
            std::size_t bytes) override {
    CHECKED(cuMemcpyDtoDAsync_v2, address_of(to) + to_first, address_of(from) + from_first, bytes, stream());
  }
  void wait_for(Events events) override {
    for (const Event& event : events) CHECKED(cuStreamWaitEvent, stream(), static_cast<CudaEvent&>(*event).handle(), 0);
  }
  Event marker() override { return std::make_shared<CudaEvent>(stream(), origin_); }
  void flush() override {}  // nothing is held back
  void finish() override {
    ++calls.waits;
    CHECKED(cuStreamSynchronize, stream());
  }

  /// A graph, recorded the first time and put into the stream as one launch each time. A node of a graph starts sooner
  /// after the previous one than a separate launch, which costs the host more than a step of a small grid takes.
  void repeat(Recording& recording, const std::function<void()>& enqueue_once) override {
    if (!recording) {
      const Calls before = calls;
      recording = record(enqueue_once);
      calls = before;  // recorded commands do not run
    }
    ++calls.launches;
    CHECKED(cuGraphLaunch, static_cast<CUgraphExec>(recording.get()), stream());
  }

  void write_word(const Buffer& to, std::size_t at, std::uint32_t word) override {
    CHECKED(cuStreamWriteValue32_v2, stream(), address_of(to) + at, word, write_after_fence);
  }
  void wait_for_word(const Buffer& in, std::size_t at, std::uint32_t word) override {
    CHECKED(cuStreamWaitValue32_v2, stream(), address_of(in) + at, word, wait_for_at_least);
  }
  void* native() override { return stream_.get(); }

 private:
  CUstream stream() const { return static_cast<CUstream>(stream_.get()); }

  void done(bool waits, Event* event) {
    if (event) *event = marker();
    if (waits) finish();
  }
  /// `host`: the memory used in place of the host's.
  void copy_row(bool reads, CUdeviceptr device, void* host, std::size_t bytes) {
    const CUdeviceptr other = address_of(host);
    if (is_between_devices_)
      CHECKED(cuMemcpyDtoDAsync_v2, reads ? other : device, reads ? device : other, bytes, stream());
    else if (reads)
      CHECKED(cuMemcpyDtoHAsync_v2, host, device, bytes, stream());
    else
      CHECKED(cuMemcpyHtoDAsync_v2, device, host, bytes, stream());
  }
  void copy_rectangle(bool reads, CUdeviceptr device, const Region& region, void* host) {
    // Starts from its first byte, because a row may cross a multiple of the pitch, which CUDA refuses.
    const Copy2D::Side here = {
        .memory = Copy2D::device, .device_address = device + region.first, .pitch = region.pitch};
    Copy2D::Side other = {.host_address = host, .pitch = region.host_pitch};
    if (is_between_devices_) {  // the address says which one it is of
      other.memory = Copy2D::unified;
      other.device_address = address_of(host);
    }
    const Copy2D copy = {reads ? here : other, reads ? other : here, region.row_bytes, region.rows};
    CHECKED(cuMemcpy2DAsync_v2, &copy, stream());
  }

  Recording record(const std::function<void()>& enqueue) {
    CHECKED(cuStreamBeginCapture_v2, stream(), capture_of_thread);
    CUgraph graph = nullptr;
    try {
      enqueue();
    } catch (...) {
      driver().cuStreamEndCapture(stream(), &graph);
      if (graph) driver().cuGraphDestroy(graph);
      throw;
    }
    CHECKED(cuStreamEndCapture, stream(), &graph);
    const std::shared_ptr<void> captured(graph, [](void* old) { driver().cuGraphDestroy(static_cast<CUgraph>(old)); });
    CUgraphExec made = nullptr;
    CHECKED(cuGraphInstantiateWithFlags, &made, graph, 0);
    return {made, [](void* old) { driver().cuGraphExecDestroy(static_cast<CUgraphExec>(old)); }};
  }

  bool is_between_devices_ = false;
  std::shared_ptr<void> stream_;
  std::shared_ptr<void> origin_;  ///< of its events' times, if they have any; all timed queues have one
};

/// Objects made in the context keep it alive (primary_): released while any of them exists, it would be recreated as
/// another context, in which the old handles have other meanings.
class CudaContext final : public ContextBase {
 public:
  explicit CudaContext(const ComputeDevice& device) : device_(device) {
    CUcontext context = nullptr;
    const auto number = static_cast<CUdevice>(device.handle);
    CHECKED(cuDevicePrimaryCtxRetain, &context, number);
    primary_ = {context, [number](void*) { driver().cuDevicePrimaryCtxRelease_v2(number); }};
    CHECKED(cuCtxSetCurrent, context);
  }

  Buffer allocate(std::size_t bytes, MemoryKind kind, void* host) override {
    CUdeviceptr address = 0;
    if (kind == MemoryKind::device || kind == MemoryKind::managed) {
      if (kind == MemoryKind::device)
        CHECKED(cuMemAlloc_v2, &address, bytes);
      else
        CHECKED(cuMemAllocManaged, &address, bytes, attach_globally);
      return buffer(address, nullptr, [](void* old) { driver().cuMemFree_v2(address_of(old)); });
    }
    std::shared_ptr<void> pages;
    if (kind == MemoryKind::pinned) {
      CHECKED(cuMemHostAlloc, &host, bytes, map_host_memory);
      pages = {host, [in = primary_](void* old) { driver().cuMemFreeHost(old); }};
    } else {
      CHECKED(cuMemHostRegister_v2, host, bytes, map_host_memory);
      pages = {host, [in = primary_](void* old) { driver().cuMemHostUnregister(old); }};
    }
    CHECKED(cuMemHostGetDevicePointer_v2, &address, host, 0);
    return {pages, reinterpret_cast<void*>(address), host};
  }

  Queue queue(QueueKind kind) override { return std::make_shared<CudaQueue>(primary_, kind); }

  Module build(std::string_view source, const std::string& options, const KernelShape&) override {
    const std::string image = cuda::compile(device_, source, options);
    return attempt(fmt::format("load the {} kernels", kernel_language), [&] {
      return load({image.begin(), image.end()}, options);
    });
  }
  Module load(const std::vector<unsigned char>& image, const std::string& options) override {
    return {std::make_shared<CudaModule>(primary_, std::string(image.begin(), image.end()), most_registers(options))};
  }

  std::string missing_for_peers() override {
#define IS_THERE(name, ...) \
  if (!driver().name) return #name;
    BOLTZMARK_CUDA_OPTIONAL_FUNCTIONS(IS_THERE)
#undef IS_THERE
    return "";
  }
  PeerName name_for_peers(const Buffer& of) override {
    IpcHandle handle{};
    CHECKED(cuIpcGetMemHandle, &handle, address_of(of));
    PeerName name;
    std::copy(std::begin(handle.bytes), std::end(handle.bytes), name.begin());
    return name;
  }
  Buffer open_peer(const PeerName& name) override {
    IpcHandle handle{};
    std::copy(name.begin(), name.end(), handle.bytes);
    CUdeviceptr address = 0;
    CHECKED(cuIpcOpenMemHandle_v2, &address, handle, ipc_enable_peer_access);
    return buffer(address, nullptr, [](void* old) { driver().cuIpcCloseMemHandle(address_of(old)); });
  }

 private:
  template <class Release>
  Buffer buffer(CUdeviceptr address, void* host, Release release) {
    void* const native = reinterpret_cast<void*>(address);
    return {std::shared_ptr<void>(native, [in = primary_, release](void* old) { release(old); }), native, host};
  }

  ComputeDevice device_;
  std::shared_ptr<void> primary_;
};

}  // namespace

Context open_context(const ComputeDevice& device) { return std::make_shared<CudaContext>(device); }

void check(CUresult status, const char* call) {
  using Kind = Failure::Kind;
  constexpr CUresult misaligned_address = 716, launch_failed = 719, device_lost = 46, hardware_error = 714;
  if (status == success) return;
  Kind kind = Kind::other;
  const char* meaning = "";
  if (status == illegal_address || status == misaligned_address || status == launch_failed) {
    meaning = "; the driver stopped a kernel that read or wrote outside its arrays";
  } else if (status == launch_out_of_resources) {
    kind = Kind::too_large_group;
    meaning = "; the device has too few registers or too little shared memory for such groups";
  } else if (status == invalid_value || status == invalid_configuration) {
    kind = Kind::too_large_group;
  } else if (status == device_lost || status == hardware_error) {
    meaning = "; the device is lost, see the system's log";
  } else if (status == out_of_memory) {
    kind = Kind::out_of_memory;
    meaning = "; the device has too little memory left";
  }
  const char* known = nullptr;
  const std::string name =
      driver().cuGetErrorName(status, &known) == success && known ? known : fmt::format("status {}", status);
  throw Failure(kind, name, fmt::format("{} from {}{}", name, own_name(call), meaning));
}

}  // namespace boltzmark::cuda
