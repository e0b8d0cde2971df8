// Bandwidth of a device's memory and caches over a sweep of working sets, and of its local memory.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/opencl/session.hpp"
#include "analysis/peaks/samples.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark {
namespace {

constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

struct Pattern {
  const char *name, *kernel;
  int arrays;
};
constexpr std::array<Pattern, 3> patterns = {
    {{"read", "read_tiles", 1}, {"copy", "copy_tiles", 2}, {"triad", "triad_tiles", 3}}};

/// A device's buffers and kernels for this; made when first asked for.
class Memory {
 public:
  explicit Memory(std::shared_ptr<Session> session) : session_(std::move(session)) {}

  /// A GPU's working sets begin where they keep all its units busy and are more than a unit's own cache, in
  /// steps of the square root of two. A CPU's begin where they are a small part of each core's first cache,
  /// in steps of two: the processor has a finer sweep of its own.
  std::vector<std::uint64_t> sizes() const {
    const double first = session_->is_cpu() ? 16.0 * kib * session_->device.units : 4.0 * mib;
    const double step = session_->is_cpu() ? 2.0 : std::sqrt(2.0);
    std::vector<std::uint64_t> sizes;
    for (double size = static_cast<double>(largest()); size >= 0.99 * first; size /= step)
      sizes.push_back(static_cast<std::uint64_t>(size));
    return sizes;
  }

  std::uint64_t tiles(const Pattern& pattern, std::uint64_t bytes) const {
    return std::max<std::uint64_t>(1, bytes / pattern.arrays / tile_bytes());
  }
  std::uint64_t tile_bytes() const { return 4 * session_->group_items() * vector_bytes(); }

  Workload workload(const Pattern& pattern, std::uint64_t count) {
    prepare();
    const std::size_t items = session_->group_items(), resident = session_->resident_groups();
    // A working set far beyond the caches is done in one go by as many groups as it has tiles, as the models
    // do.
    const bool in_one_go = !session_->is_cpu() && count >= 16 * resident;
    const cl::NDRange global(items * (in_one_go ? count : std::min<std::size_t>(resident, count)));
    cl::Kernel kernel = attempt("find a kernel", [&] { return cl::Kernel(program_, pattern.kernel); });
    const auto passes_at = set_arguments(kernel, pattern, static_cast<cl_uint>(count));
    Workload work;
    work.bytes_a_round = static_cast<double>(count * tile_bytes()) * pattern.arrays;
    work.batch_seconds = session_->batch_seconds();
    work.run = [=, this](long all_rounds) mutable {
      return Batch{session_->device_seconds(
          all_rounds, [&](cl::CommandQueue& queue, long rounds, cl::Event* first, cl::Event* last) {
            kernel.setArg(passes_at, static_cast<cl_uint>(in_one_go ? 1 : rounds));
            const long launches = in_one_go ? rounds : 1;
            for (long launch = 0; launch < launches; ++launch)
              queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, cl::NDRange(items), nullptr,
                                         launch == 0              ? first
                                         : launch == launches - 1 ? last
                                                                  : nullptr);
            if (last && launches == 1) *last = *first;
          })};
    };
    return work;
  }

  Workload local_workload() {
    cl_device_local_mem_type type = CL_LOCAL;
    session_->device.handle.getInfo(CL_DEVICE_LOCAL_MEM_TYPE, &type);
    if (session_->is_cpu() || type != CL_LOCAL)
      throw unavailable("local memory of this device is ordinary memory in its caches");
    prepare();
    const std::size_t items = session_->group_items(), groups = session_->resident_groups();
    cl::Kernel kernel = attempt("find a kernel", [&] { return cl::Kernel(program_, "read_local"); });
    kernel.setArg(0, sink_);
    Workload work;
    work.bytes_a_round = static_cast<double>(groups * items * 4 * vector_bytes());
    work.batch_seconds = session_->batch_seconds();
    work.run = [=, this](long all_rounds) mutable {
      return Batch{session_->device_seconds(
          all_rounds, [&](cl::CommandQueue& queue, long rounds, cl::Event* event, cl::Event* last) {
            kernel.setArg(1, static_cast<cl_uint>(rounds));
            queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * items), cl::NDRange(items),
                                       nullptr, event);
            if (last) *last = *event;
          })};
    };
    return work;
  }

 private:
  /// Four numbers are what a GPU's item loads at once; a CPU's loads a register.
  int lanes() const {
    return session_->is_cpu() ? std::max(4, session_->device.native_lanes(Precision::f32)) : 4;
  }
  std::size_t vector_bytes() const { return static_cast<std::size_t>(lanes()) * sizeof(float); }

  /// The largest working set: far more than any cache, and a modest part of the memory.
  std::uint64_t largest() const {
    const ComputeDevice& device = session_->device;
    const std::uint64_t wanted = session_->is_cpu() ? 256 * mib : 4 * gib;
    return std::min(
        {wanted, device.largest_buffer_bytes, device.global_bytes / (session_->is_cpu() ? 8 : 16)});
  }

  void prepare() {
    if (is_ready_) return;
    program_ = build_program(session_->context(), session_->device, bandwidth_source,
                             fmt::format("-D LANES={} -D GROUP={} -D CONSECUTIVE={}", lanes(),
                                         session_->group_items(), session_->is_cpu() ? 1 : 0));
    attempt("allocate " + fmt::format("{} MiB on ", largest() * 11 / 6 / mib) + session_->device.name, [&] {
      // An array of the largest read, one of the largest copy, one of the largest triad.
      for (std::size_t i = 0; i < arrays_.size(); ++i) {
        const std::uint64_t bytes = std::max(largest() / (i + 1), tile_bytes());
        arrays_[i] = cl::Buffer(session_->context(), CL_MEM_READ_WRITE, bytes);
        session_->queue().enqueueFillBuffer(arrays_[i], cl_float(0), 0,
                                            bytes / sizeof(float) * sizeof(float));
      }
      sink_ = cl::Buffer(session_->context(), CL_MEM_READ_WRITE, session_->group_items() * sizeof(float));
      session_->queue().finish();
    });
    is_ready_ = true;
  }

  /// Returns the place of the argument that says how many passes.
  cl_uint set_arguments(cl::Kernel& kernel, const Pattern& pattern, cl_uint count) {
    return attempt("set a kernel's arguments", [&] {
      cl_uint next = 0;
      for (; static_cast<int>(next) < pattern.arrays; ++next) kernel.setArg(next, arrays_[next]);
      if (pattern.arrays == 1) kernel.setArg(next++, sink_);
      kernel.setArg(next++, count);
      if (pattern.arrays == 3) kernel.setArg(next + 1, cl_float(0.5f));
      return next;
    });
  }

  std::shared_ptr<Session> session_;
  bool is_ready_ = false;
  cl::Program program_;
  std::array<cl::Buffer, 3> arrays_;
  cl::Buffer sink_;
};

}  // namespace

void add_bandwidth(int number, const std::shared_ptr<Session>& session) {
  const auto memory = std::make_shared<Memory>(session);
  for (const Pattern& pattern : patterns)
    for (const std::uint64_t size : memory->sizes()) {
      const std::uint64_t count = memory->tiles(pattern, size);
      const std::uint64_t bytes = count * memory->tile_bytes() * static_cast<std::uint64_t>(pattern.arrays);
      add_benchmark(benchmark_name("bandwidth", {{"device", std::to_string(number)},
                                                 {"pattern", pattern.name},
                                                 {"bytes", std::to_string(bytes)}}),
                    [=] { return memory->workload(pattern, count); });
    }
  add_benchmark(benchmark_name("local", {{"device", std::to_string(number)}, {"pattern", "read"}}),
                [=] { return memory->local_workload(); });
}

}  // namespace boltzmark
