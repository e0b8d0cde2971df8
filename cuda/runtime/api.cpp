#include "cuda/runtime/api.hpp"

#include <algorithm>

namespace boltzmark::cuda::cl {
namespace {

void check(CUresult status, const char* call) {
  if (status != success) throw Error(status, call);
}

#define CHECKED(call, ...) check(driver().call(__VA_ARGS__), #call)

/// An event that goes with its last owner.
std::shared_ptr<void> new_event(CUstream stream, unsigned flags) {
  CUevent event = nullptr;
  CHECKED(cuEventCreate, &event, flags);
  const std::shared_ptr<void> owned(event,
                                    [](void* old) { driver().cuEventDestroy_v2(static_cast<CUevent>(old)); });
  CHECKED(cuEventRecord, event, stream);
  return owned;
}

constexpr std::size_t largest_pitch =
    0x7fffffff;  // of a rectangular copy; rows further apart are copied one by one

CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace

Context::Context(const Device& device) {
  CUcontext context = nullptr;
  CHECKED(cuDevicePrimaryCtxRetain, &context, device.number);
  primary_ = {context, [number = device.number](void*) { driver().cuDevicePrimaryCtxRelease_v2(number); }};
  CHECKED(cuCtxSetCurrent, context);
}

Buffer::Memory::~Memory() {
  if (release) release(*this);
}

Buffer::Buffer(const Context& context, unsigned flags, std::size_t bytes, void* host)
    : memory_(std::make_shared<Memory>()) {
  memory_->context = context.primary();
  if (flags & CL_MEM_ALLOC_HOST_PTR) {
    CHECKED(cuMemHostAlloc, &memory_->host, bytes, map_host_memory);
    memory_->release = [](const Memory& memory) { return driver().cuMemFreeHost(memory.host); };
  } else if (flags & CL_MEM_USE_HOST_PTR) {
    CHECKED(cuMemHostRegister_v2, host, bytes, map_host_memory);
    memory_->host = host;
    memory_->release = [](const Memory& memory) { return driver().cuMemHostUnregister(memory.host); };
  } else {
    CHECKED(cuMemAlloc_v2, &memory_->device, bytes);
    memory_->release = [](const Memory& memory) { return driver().cuMemFree_v2(memory.device); };
    return;
  }
  CHECKED(cuMemHostGetDevicePointer_v2, &memory_->device, memory_->host, 0);
}

void Event::record(CUstream stream, const std::shared_ptr<void>& origin) {
  event_ = new_event(stream, origin ? 0u : unsigned{event_without_timing});
  origin_ = origin;
}

void Event::wait() const { CHECKED(cuEventSynchronize, (*this)()); }

bool Event::is_complete() const {
  const CUresult status = driver().cuEventQuery((*this)());
  if (status != not_ready) check(status, "cuEventQuery");
  return status == success;
}

cl_ulong Event::nanoseconds() const {
  float milliseconds = 0.0f;
  CHECKED(cuEventElapsedTime, &milliseconds, static_cast<CUevent>(origin_.get()), (*this)());
  return static_cast<cl_ulong>(1e6 * static_cast<double>(milliseconds));
}

void Event::waitForEvents(const std::vector<Event>& events) {
  for (const Event& event : events) event.wait();
}

Program::Program(const Context& context, const std::string& image, int most_registers)
    : image_(std::make_shared<const std::string>(image)) {
  CUmodule loaded = nullptr;
  int name = jit_max_registers;
  void* value = reinterpret_cast<void*>(static_cast<std::size_t>(most_registers));
  CHECKED(cuModuleLoadDataEx, &loaded, image.c_str(), most_registers > 0 ? 1 : 0, &name, &value);
  module_ = {loaded,
             [in = context.primary()](void* old) { driver().cuModuleUnload(static_cast<CUmodule>(old)); }};
}

Kernel::Kernel(const Program& program, const char* name) : program_(program) {
  CHECKED(cuModuleGetFunction, &function_, program(), name);
  CUdeviceptr constant = 0;
  std::size_t bytes = 0;
  const std::string large_array = std::string(name) + "_local_bytes";
  if (program.image().find(large_array) == std::string::npos) return;
  CHECKED(cuModuleGetGlobal_v2, &constant, &bytes, program(), large_array.c_str());
  cl_uint array_bytes = 0;
  CHECKED(cuMemcpyDtoH_v2, &array_bytes, constant, sizeof array_bytes);
  large_array_bytes_ = local_bytes_ = array_bytes;
  CHECKED(cuFuncSetAttribute, function_, max_dynamic_shared_bytes, static_cast<int>(array_bytes));
  CHECKED(cuFuncSetAttribute, function_, preferred_shared_carveout, 100);  // per cent: all groups must fit
}

Kernel::Argument& Kernel::argument(unsigned position) {
  if (position >= arguments_.size()) arguments_.resize(position + 1);
  return arguments_[position];
}

void Kernel::setArg(unsigned position, const LocalSpaceArg& local) {
  argument(position).local_bytes = round_up(local.bytes);
  local_bytes_ = round_up(large_array_bytes_);
  for (Argument& each : arguments_) {
    if (each.local_bytes == 0) continue;
    const cl_ulong first = local_bytes_;
    std::memcpy(each.bytes.data(), &first, sizeof first);
    local_bytes_ += each.local_bytes;
  }
}

std::size_t Kernel::most_items() const {
  int items = 0;
  CHECKED(cuFuncGetAttribute, &items, most_threads_of_function, function_);
  return static_cast<std::size_t>(items);
}

std::vector<void*> Kernel::argument_pointers() const {
  std::vector<void*> pointers;
  pointers.reserve(arguments_.size());
  for (const Argument& each : arguments_) pointers.push_back(const_cast<std::byte*>(each.bytes.data()));
  return pointers;
}

CommandQueue::CommandQueue(const Context& context, const Device&, cl_command_queue_properties properties)
    : is_between_devices_((properties & queue_between_devices) != 0) {
  static std::weak_ptr<void> common_origin;  // it must not outlive the context, which the next run has anew
  CUstream stream = nullptr;
  CHECKED(cuStreamCreate, &stream, nonblocking_stream);
  stream_ = {stream, [in = context.primary()](void* old) {
               driver().cuStreamDestroy_v2(static_cast<CUstream>(old));
             }};
  if (!(properties & CL_QUEUE_PROFILING_ENABLE)) return;
  origin_ = common_origin.lock();
  if (origin_) return;
  common_origin = origin_ = new_event(stream, 0);
  finish();
}

void CommandQueue::wait_for(Events after) const {
  if (!after) return;
  for (const Event& event : *after) CHECKED(cuStreamWaitEvent, stream(), event(), 0);
}

void CommandQueue::done(bool waits, Event* event) const {
  if (event) event->record(stream(), origin_);
  if (waits) finish();
}

void CommandQueue::finish() const { CHECKED(cuStreamSynchronize, stream()); }

void CommandQueue::enqueueNDRangeKernel(const Kernel& kernel, const NDRange&, const NDRange& global,
                                        const NDRange& local, Events after, Event* event) {
  constexpr std::size_t usual_items = 256;
  const NDRange items = local.dimensions() > 0 ? local : NDRange(std::min(global[0], usual_items));
  const auto groups = [&](std::size_t axis) {
    return static_cast<unsigned>((global[axis] + items[axis] - 1) / items[axis]);
  };
  wait_for(after);
  auto arguments = kernel.argument_pointers();
  CHECKED(cuLaunchKernel, kernel(), groups(0), groups(1), groups(2), static_cast<unsigned>(items[0]),
          static_cast<unsigned>(items[1]), static_cast<unsigned>(items[2]),
          static_cast<unsigned>(kernel.local_bytes()), stream(), arguments.data(), nullptr);
  done(false, event);
}

void CommandQueue::enqueueReadBuffer(const Buffer& buffer, bool waits, std::size_t first, std::size_t bytes,
                                     void* to, Events after, Event* event) const {
  wait_for(after);
  if (buffer.host() && waits && !is_between_devices_) {
    done(waits, event);
    std::memcpy(to, static_cast<const std::byte*>(buffer.host()) + first, bytes);
    return;
  }
  copy_out(to, buffer() + first, bytes);
  done(waits, event);
}

void CommandQueue::enqueueWriteBuffer(const Buffer& buffer, bool waits, std::size_t first, std::size_t bytes,
                                      const void* from, Events after, Event* event) {
  wait_for(after);
  copy_in(buffer() + first, from, bytes);
  done(waits, event);
}

void CommandQueue::enqueueReadBufferRect(const Buffer& buffer, bool waits, const Three& first, const Three&,
                                         const Three& region, std::size_t pitch, std::size_t,
                                         std::size_t host_pitch, std::size_t, void* to, Events after,
                                         Event* event) {
  wait_for(after);
  if (pitch > largest_pitch) {
    for (std::size_t y = 0; y < region[1]; ++y)
      copy_out(static_cast<std::byte*>(to) + y * host_pitch, buffer() + first[0] + (first[1] + y) * pitch,
               region[0]);
    return done(waits, event);
  }
  const Copy2D copy = {.source_x = first[0],
                       .source_y = first[1],
                       .source_memory = Copy2D::device,
                       .source_device = buffer(),
                       .source_pitch = pitch,
                       .target_memory = Copy2D::host,
                       .target_host = to,
                       .target_pitch = host_pitch,
                       .width_bytes = region[0],
                       .height = region[1]};
  copy_rows(copy);
  done(waits, event);
}

void CommandQueue::enqueueWriteBufferRect(const Buffer& buffer, bool waits, const Three& first, const Three&,
                                          const Three& region, std::size_t pitch, std::size_t,
                                          std::size_t host_pitch, std::size_t, const void* from, Events after,
                                          Event* event) {
  wait_for(after);
  if (pitch > largest_pitch) {
    for (std::size_t y = 0; y < region[1]; ++y)
      copy_in(buffer() + first[0] + (first[1] + y) * pitch,
              static_cast<const std::byte*>(from) + y * host_pitch, region[0]);
    return done(waits, event);
  }
  const Copy2D copy = {.source_memory = Copy2D::host,
                       .source_host = from,
                       .source_pitch = host_pitch,
                       .target_x = first[0],
                       .target_y = first[1],
                       .target_memory = Copy2D::device,
                       .target_device = buffer(),
                       .target_pitch = pitch,
                       .width_bytes = region[0],
                       .height = region[1]};
  copy_rows(copy);
  done(waits, event);
}

void CommandQueue::enqueueWriteWord(CUdeviceptr at, cl_uint value) {
  CHECKED(cuStreamWriteValue32_v2, stream(), at, value, write_after_fence);
}

void CommandQueue::enqueueWaitForWord(CUdeviceptr at, cl_uint value) {
  CHECKED(cuStreamWaitValue32_v2, stream(), at, value, wait_for_at_least);
}

void CommandQueue::copy_out(void* to, CUdeviceptr from, std::size_t bytes) const {
  if (is_between_devices_)
    CHECKED(cuMemcpyDtoDAsync_v2, address_of(to), from, bytes, stream());
  else
    CHECKED(cuMemcpyDtoHAsync_v2, to, from, bytes, stream());
}

void CommandQueue::copy_in(CUdeviceptr to, const void* from, std::size_t bytes) const {
  if (is_between_devices_)
    CHECKED(cuMemcpyDtoDAsync_v2, to, address_of(from), bytes, stream());
  else
    CHECKED(cuMemcpyHtoDAsync_v2, to, from, bytes, stream());
}

void CommandQueue::copy_rows(Copy2D copy) const {
  if (is_between_devices_) {
    Copy2D::Memory& host_side = copy.source_memory == Copy2D::host ? copy.source_memory : copy.target_memory;
    host_side = Copy2D::unified;  // the address says which device it is of
    if (copy.source_host) copy.source_device = address_of(copy.source_host);
    if (copy.target_host) copy.target_device = address_of(copy.target_host);
  }
  CHECKED(cuMemcpy2DAsync_v2, &copy, stream());
}

void CommandQueue::fill(const Buffer& buffer, cl_uint word, std::size_t first, std::size_t bytes) {
  CHECKED(cuMemsetD32Async, buffer() + first, word, bytes / sizeof word, stream());
}

void CommandQueue::enqueueCopyBuffer(const Buffer& from, const Buffer& to, std::size_t from_first,
                                     std::size_t to_first, std::size_t bytes) {
  CHECKED(cuMemcpyDtoDAsync_v2, to() + to_first, from() + from_first, bytes, stream());
}

Recording CommandQueue::record(const std::function<void()>& enqueue) {
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
  const std::shared_ptr<void> captured(graph,
                                       [](void* old) { driver().cuGraphDestroy(static_cast<CUgraph>(old)); });
  CUgraphExec made = nullptr;
  CHECKED(cuGraphInstantiateWithFlags, &made, graph, 0);
  Recording recording;
  recording.graph_ = {made, [](void* old) { driver().cuGraphExecDestroy(static_cast<CUgraphExec>(old)); }};
  return recording;
}

void CommandQueue::enqueue(const Recording& recording) {
  CHECKED(cuGraphLaunch, static_cast<CUgraphExec>(recording.graph_.get()), stream());
}

}  // namespace boltzmark::cuda::cl
