#include "opencl/runtime/api.hpp"

#include <fmt/core.h>

#include <array>
#include <map>
#include <memory>
#include <type_traits>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/device/build.hpp"
#include "common/run/calls.hpp"
#include "opencl/runtime/calls.hpp"

namespace boltzmark::opencl {

using namespace device;

namespace {

/// A handle that is released with its last owner.
template <class Object>
std::shared_ptr<std::remove_pointer_t<Object>> owned(Object object, cl_int (*release)(Object)) {
  return {object, release};
}
template <class Handle>
using Owned = std::shared_ptr<std::remove_pointer_t<Handle>>;

class ClEvent final : public EventBase {
 public:
  explicit ClEvent(cl_event event) : event_(owned(event, clReleaseEvent)) {}

  void wait() override {
    const cl_event event = handle();
    CHECKED(clWaitForEvents, 1, &event);
  }
  bool is_complete() override {
    cl_int status = CL_QUEUED;
    CHECKED(clGetEventInfo, handle(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status == CL_COMPLETE;
  }
  std::array<std::uint64_t, 2> nanoseconds() override {
    std::array<std::uint64_t, 2> times{};
    CHECKED(clGetEventProfilingInfo, handle(), CL_PROFILING_COMMAND_START, sizeof times[0], &times[0], nullptr);
    CHECKED(clGetEventProfilingInfo, handle(), CL_PROFILING_COMMAND_END, sizeof times[1], &times[1], nullptr);
    return times;
  }
  cl_event handle() const { return event_.get(); }

 private:
  Owned<cl_event> event_;
};

class ClKernel final : public KernelBase {
 public:
  ClKernel(cl_kernel kernel, cl_device_id device) : kernel_(owned(kernel, clReleaseKernel)), device_(device) {}

  void bind(unsigned position, const void* value, std::size_t bytes) override {
    CHECKED(clSetKernelArg, handle(), position, bytes, value);
  }
  void bind_local(unsigned position, std::size_t bytes) override {
    CHECKED(clSetKernelArg, handle(), position, bytes, nullptr);
  }
  std::size_t most_items() override {
    std::size_t items = 0;
    CHECKED(clGetKernelWorkGroupInfo, handle(), device_, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, nullptr);
    return items;
  }
  cl_kernel handle() const { return kernel_.get(); }

 private:
  Owned<cl_kernel> kernel_;
  cl_device_id device_;
};

class ClModule final : public ModuleBase {
 public:
  ClModule(cl_program module, cl_device_id device) : module_(owned(module, clReleaseProgram)), device_(device) {}

  void build(const std::string& options) {
    CHECKED(clBuildProgram, handle(), 1, &device_, options.c_str(), nullptr, nullptr);
  }
  std::string log() const {
    std::size_t bytes = 0;
    clGetProgramBuildInfo(handle(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string text(bytes, '\0');
    clGetProgramBuildInfo(handle(), device_, CL_PROGRAM_BUILD_LOG, bytes, text.data(), nullptr);
    return text.c_str();
  }
  std::shared_ptr<KernelBase> kernel(const char* name) override {
    return std::make_shared<ClKernel>(MADE(clCreateKernel, handle(), name), device_);
  }
  std::vector<unsigned char> binary() override {
    std::size_t bytes = 0;
    CHECKED(clGetProgramInfo, handle(), CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr);
    std::vector<unsigned char> binary(bytes);
    unsigned char* to = binary.data();
    CHECKED(clGetProgramInfo, handle(), CL_PROGRAM_BINARIES, sizeof to, &to, nullptr);
    return binary;
  }

 private:
  cl_program handle() const { return module_.get(); }

  Owned<cl_program> module_;
  cl_device_id device_;
};

/// Events for which a command waits, in OpenCL's form.
class WaitList {
 public:
  explicit WaitList(Events events) {
    for (const Event& event : events) handles_.push_back(static_cast<const ClEvent&>(*event).handle());
  }
  cl_uint count() const { return static_cast<cl_uint>(handles_.size()); }
  const cl_event* events() const { return handles_.empty() ? nullptr : handles_.data(); }

 private:
  std::vector<cl_event> handles_;
};

/// The event of a command, if requested.
class Done {
 public:
  explicit Done(Event* to) : to_(to) {}
  operator cl_event*() { return to_ ? &event_ : nullptr; }
  void give() {
    if (to_) *to_ = std::make_shared<ClEvent>(event_);
  }

 private:
  Event* to_;
  cl_event event_ = nullptr;
};

cl_mem memory(const Buffer& buffer) { return static_cast<cl_mem>(buffer.native()); }

class ClQueue final : public QueueBase {
 public:
  explicit ClQueue(cl_command_queue queue) : queue_(owned(queue, clReleaseCommandQueue)) {}

  void launch(const Kernel& kernel, const Range& global, const Range& group, Events after, Event* done) override {
    const WaitList waits(after);
    Done event(done);
    ++calls.launches;
    CHECKED(clEnqueueNDRangeKernel, handle(), static_cast<ClKernel&>(kernel.base()).handle(),
            static_cast<cl_uint>(global.dimensions()), nullptr, global.data(),
            group.dimensions() > 0 ? group.data() : nullptr, waits.count(), waits.events(), event);
    event.give();
  }

  void transfer(Direction direction, const Buffer& buffer, const Region& region, void* host, Events after, Event* done,
                bool waits) override {
    const bool reads = direction == Direction::to_host;
    const WaitList list(after);
    Done event(done);
    calls.waits += waits;
    if (region.pitch > 0) {
      const std::size_t from[3] = {region.first % region.pitch, region.first / region.pitch, 0}, to[3] = {0, 0, 0},
                        size[3] = {region.row_bytes, region.rows, 1};
      const auto call_on = [&](auto* call) {
        return call(handle(), memory(buffer), waits, from, to, size, region.pitch, 0, region.host_pitch, 0, host,
                    list.count(), list.events(), event);
      };
      reads ? check(call_on(clEnqueueReadBufferRect), "clEnqueueReadBufferRect")
            : check(call_on(clEnqueueWriteBufferRect), "clEnqueueWriteBufferRect");
    } else {
      const auto call_on = [&](auto* call) {
        return call(handle(), memory(buffer), waits, region.first, region.row_bytes, host, list.count(), list.events(),
                    event);
      };
      reads ? check(call_on(clEnqueueReadBuffer), "clEnqueueReadBuffer")
            : check(call_on(clEnqueueWriteBuffer), "clEnqueueWriteBuffer");
    }
    event.give();
  }

  void fill(const Buffer& buffer, std::uint32_t word, std::size_t first, std::size_t bytes) override {
    CHECKED(clEnqueueFillBuffer, handle(), memory(buffer), &word, sizeof word, first, bytes, 0, nullptr, nullptr);
  }
  void copy(const Buffer& from, std::size_t from_first, const Buffer& to, std::size_t to_first,
            std::size_t bytes) override {
    CHECKED(clEnqueueCopyBuffer, handle(), memory(from), memory(to), from_first, to_first, bytes, 0, nullptr, nullptr);
  }
  void wait_for(Events events) override {
    const WaitList waits(events);
    CHECKED(clEnqueueBarrierWithWaitList, handle(), waits.count(), waits.events(), nullptr);
  }
  Event marker() override {
    Event end;
    Done event(&end);
    CHECKED(clEnqueueMarkerWithWaitList, handle(), 0, nullptr, event);
    event.give();
    return end;
  }
  void flush() override { CHECKED(clFlush, handle()); }
  void finish() override {
    ++calls.waits;
    CHECKED(clFinish, handle());
  }
  /// OpenCL records no commands.
  void repeat(Recording&, const std::function<void()>& enqueue_once) override { enqueue_once(); }
  void write_word(const Buffer&, std::size_t, std::uint32_t) override { refuse_peers(); }
  void wait_for_word(const Buffer&, std::size_t, std::uint32_t) override { refuse_peers(); }
  void* native() override { return queue_.get(); }

 private:
  cl_command_queue handle() const { return queue_.get(); }
  [[noreturn]] static void refuse_peers() { throw unavailable("OpenCL has no queues between devices"); }

  Owned<cl_command_queue> queue_;
};

class ClContext final : public ContextBase {
 public:
  explicit ClContext(const ComputeDevice& device)
      : device_(device),
        id_(id_of(device)),
        context_(owned(MADE(clCreateContext, nullptr, 1, &id_, nullptr, nullptr), clReleaseContext)) {}

  Buffer allocate(std::size_t bytes, MemoryKind kind, void* host) override {
    if (kind == MemoryKind::pinned) return allocate_pinned(bytes);
    if (kind == MemoryKind::device && device_.type == DeviceType::cpu && bytes >= huge_page_bytes)
      return allocate_huge(bytes);
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (kind == MemoryKind::host ? CL_MEM_USE_HOST_PTR : 0);
    const cl_mem made = MADE(clCreateBuffer, context_.get(), flags, bytes, host);
    return {owned(made, clReleaseMemObject), made, host};
  }

  Queue queue(QueueKind kind) override {
    if (kind == QueueKind::between_devices) throw unavailable("OpenCL has no queues between devices");
    return std::make_shared<ClQueue>(make_queue(kind));
  }

  Module build(std::string_view source, const std::string& own_options, const KernelShape& shape) override {
    const bool has_language = own_options.find("-cl-std=") != own_options.npos;
    const std::string options = (has_language ? "" : "-cl-std=CL1.2 ") + own_options;
    if (built_.size() > most_built) built_.clear();
    Module& kept = built_[options + '\n' + std::string(source)];
    if (!kept) kept = newly_built(source, options, shape);
    return kept;
  }

  Module load(const std::vector<unsigned char>& binary, const std::string& options) override {
    const unsigned char* bytes = binary.data();
    const std::size_t length = binary.size();
    auto module = std::make_shared<ClModule>(
        MADE(clCreateProgramWithBinary, context_.get(), 1, &id_, &length, &bytes, nullptr), id_);
    module->build(options);
    return {module};
  }

 private:
  static constexpr std::size_t most_built = 16;

  Module newly_built(std::string_view source, const std::string& options, const KernelShape& shape) {
    const char* text = source.data();
    const std::size_t length = source.size();
    auto module = attempt("read the OpenCL kernels", [&] {
      return std::make_shared<ClModule>(MADE(clCreateProgramWithSource, context_.get(), 1, &text, &length), id_);
    });
    // PoCL's cache of programs has no lock: if several ranks build the same kernels at the same moment, one may fail
    // without an error in its log; it then finds them in the cache.
    for (bool is_first = true;; is_first = false) {
      try {
        module->build(options);
        break;
      } catch (const Failure& failure) {
        const std::string log = module->log();
        if (is_first && log.find("error") == log.npos) continue;
        throw unavailable("cannot build the OpenCL kernels for {} ({}, {}): {}\n{}", device_.name, device_.driver,
                          options, failure.status(), log);
      }
    }
    if (shape.resident_kernel.empty() || device_.sub_groups != SubGroups::warps) return {module};
    return attempt("build kernels from PTX", [&] {
      const auto binary = module->binary();
      const std::string ptx =
          with_resident_groups({binary.begin(), binary.end()}, shape.resident_kernel, shape.resident_groups);
      return load({ptx.begin(), ptx.end()}, options);
    });
  }

  cl_command_queue make_queue(QueueKind kind) {
    const cl_command_queue_properties properties = kind == QueueKind::timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    return MADE(clCreateCommandQueue, context_.get(), id_, properties);
  }

  /// For a processor, in huge pages: a driver may take its own memory from malloc, whose pages are small.
  Buffer allocate_huge(std::size_t bytes) {
    using Memory = AlignedArray<char>;
    auto memory = std::make_unique<Memory>(bytes);
    const cl_mem made =
        MADE(clCreateBuffer, context_.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory->data());
    const auto buffer = owned(made, clReleaseMemObject);
    // Commands in a queue may need the memory after this buffer's end.
    CHECKED(
        clSetMemObjectDestructorCallback, made, [](cl_mem, void* old) { delete static_cast<Memory*>(old); },
        memory.get());
    memory.release();
    return {buffer, made, nullptr};
  }

  /// There is no call for such memory. Drivers use it for buffers requested in host memory, and mapping one gives its
  /// address (NVIDIA, "OpenCL Best Practices Guide", on pinned memory).
  Buffer allocate_pinned(std::size_t bytes) {
    const auto queue = owned(make_queue(QueueKind::plain), clReleaseCommandQueue);
    const cl_mem made = MADE(clCreateBuffer, context_.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr);
    const auto buffer = owned(made, clReleaseMemObject);
    void* const host =
        MADE(clEnqueueMapBuffer, queue.get(), made, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr);
    const std::shared_ptr<void> mapped(host, [queue, buffer](void* old) {
      clEnqueueUnmapMemObject(queue.get(), buffer.get(), old, 0, nullptr, nullptr);
      clFinish(queue.get());
    });
    return {mapped, made, host};
  }

  ComputeDevice device_;
  cl_device_id id_;
  Owned<cl_context> context_;
  std::map<std::string, Module> built_;  ///< by options and source
};

struct OpenclApi final : Api {
  OpenclApi() {
    name = "OpenCL";
    model = "opencl";
    compiler_option = "cl-options";
    compiler_option_example = "-cl-fast-relaxed-math";
    may_be_processor = true;
    most_recorded = 4096;
  }
  std::vector<ComputeDevice> find_devices() const override { return opencl::find_devices(); }
  /// One for all runs of this process, which build their kernels once; never closed, because the library may be gone
  /// first.
  Context open(const ComputeDevice& device) const override {
    static auto& contexts = *new std::map<std::uintptr_t, Context>;
    Context& context = contexts[device.handle];
    if (!context) context = std::make_shared<ClContext>(device);
    return context;
  }

  std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                               const KernelShape& shape) const override {
    const bool wants_sub_groups = shape.reduction == Reduction::subgroup;
    const bool standard = wants_sub_groups && device.sub_groups == SubGroups::standard;
    // Ahead of the flow that spreads from the driven row, populations become denormal, and many CPUs compute with
    // denormals several times more slowly.
    std::string text = fmt::format("-cl-std={} -cl-denorms-are-zero {}", standard ? device.sub_group_language : "CL1.2",
                                   common_defines(options, shape));
    if (wants_sub_groups) text += standard ? " -D SUB_GROUPS" : " -D WARP_SHUFFLES";
    // Those of NVIDIA are accurate to one or two units in the last place; others are not specified.
    if (shape.native_math && device.sub_groups == SubGroups::warps) text += " -D NATIVE_MATH";
    if (shape.most_registers > 0) text += fmt::format(" -cl-nv-maxrregcount={}", shape.most_registers);
    return with_more(text, options, shape);
  }
};

}  // namespace

const Api& api() {
  static const OpenclApi opencl;
  return opencl;
}

std::string with_resident_groups(std::string ptx, const std::string& kernel, int groups) {
  const auto entry = ptx.find(".entry " + kernel);
  const auto group_size = ptx.find(".reqntid", entry);
  const auto body = ptx.find('{', entry);
  if (entry == ptx.npos || group_size == ptx.npos || group_size > body) return ptx;
  return ptx.insert(ptx.find('\n', group_size), fmt::format("\n.minnctapersm {}", groups));
}

}  // namespace boltzmark::opencl
