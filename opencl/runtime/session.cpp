#include "opencl/runtime/session.hpp"

#include <algorithm>
#include <numeric>

#include "common/cpu/memory.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

Session::Session(const ComputeDevice& device, const BuildOptions& options)
    : device_(device), options_(options), cache_(options.kernel_cache ? kernel_cache_folder() : "") {
  const Timed timed(init_seconds_.context);
  attempt("open " + device_.name, [&] {
    context_ = cl::Context(device_.handle);
    queue_ = cl::CommandQueue(context_, device_.handle);
  });
}

cl::CommandQueue Session::another_queue(bool is_timed) const {
  const auto properties = is_timed ? cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE} : 0;
  return attempt("open another queue of " + device_.name,
                 [&] { return cl::CommandQueue(context_, device_.handle, properties); });
}

cl::Program Session::build(std::string_view source, const KernelShape& shape) {
  const Timed timed(init_seconds_.build);
  source_ = source;
  compiler_options_ = compiler_options(device_, options_, shape);
  BuiltProgram built;
  try {
    built = build_cached(context_, device_, source_, compiler_options_, shape, cache_);
  } catch (const Error& error) {
    if (options_.compiler.empty()) throw;
    throw bad_input("--{} \"{}\": {}", compiler_option_name, options_.compiler, error.what());
  }
  program_ = built.program;
  cache_use_ = !options_.kernel_cache ? "off" : built.is_from_binary ? "hit" : "miss";
  return program_;
}

/// Only now, because some drivers compile at a kernel's first launch.
void Session::keep_program() {
  if (cache_use_ != "miss") return;
  if (!keep_binary(program_, device_, source_, compiler_options_, cache_)) cache_use_ = "miss, not stored";
}

void Session::allocate(const std::vector<BufferRequest>& requests) {
  const Timed timed(init_seconds_.upload);
  std::size_t needed = 0, largest = 0;
  for (const auto& request : requests) {
    needed += request.bytes;
    largest = std::max(largest, request.bytes);
  }
  const auto too_large = [&](const std::string& why) {
    constexpr double mib = 1 << 20;
    return unavailable(
        "{} has too little memory: this case needs {:.1f} MiB, {:.1f} MiB of it in one buffer; the device "
        "has {:.1f} MiB and allows {:.1f} MiB a buffer{}",
        device_.name, needed / mib, largest / mib, device_.global_bytes / mib,
        device_.largest_buffer_bytes / mib, why);
  };
  if (needed > device_.global_bytes || largest > device_.largest_buffer_bytes) throw too_large("");
  if (!device_.has_own_memory()) require_memory("this case", static_cast<double>(needed));
  try {
    for (const auto& request : requests) {
      *request.buffer = cl::Buffer(context_, CL_MEM_READ_WRITE, request.bytes);
      // Many drivers take memory only when it is first written, so a shortage may show only here.
      if (request.content)
        queue_.enqueueWriteBuffer(*request.buffer, CL_TRUE, 0, request.bytes, request.content);
      else
        zero(*request.buffer, request.bytes);
    }
    queue_.finish();
  } catch (const cl::Error& error) {
    if (is_out_of_memory(error.err()))
      throw too_large(fmt::format(", of which others may have some ({})", status_name(error.err())));
    throw unavailable("cannot allocate the arrays on {}: {}", device_.name, failure_words(error));
  }
}

cl::Buffer Session::array(std::size_t bytes) {
  return attempt("allocate an array on " + device_.name, [&] {
    if (device_.has_own_memory()) return cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
    auto& memory = host_memory_.emplace_back(bytes);
    return cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory.data());
  });
}

/// Only the beginning is filled, and then copied. NVIDIA's driver (version 580) works for minutes to fill 9.2
/// GiB at once and gives CL_OUT_OF_RESOURCES in the end, for fills of 1 GiB each right away; copies it can
/// do.
void Session::zero(const cl::Buffer& buffer, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 30;
  queue_.enqueueFillBuffer(buffer, cl_uint{0}, 0, std::min(piece, bytes));
  for (std::size_t done = piece; done < bytes; done += piece)
    queue_.enqueueCopyBuffer(buffer, buffer, 0, done, std::min(piece, bytes - done));
}

/// What a kernel's registers and local memory leave room for is known only by launching it: drivers report
/// a smaller CL_KERNEL_WORK_GROUP_SIZE than they run.
void Session::refuse_launch(const cl::Error& error, WorkGroup group) const {
  if (is_too_large_a_group(error.err()))
    throw unavailable("--work-group: {} cannot run this kernel in groups of {}: {}", device_.name,
                      to_string(group), status_name(error.err()));
  throw unavailable("cannot run the kernels for the first time: {}", failure_words(error));
}

RunFacts Session::facts(const Settings& settings) const {
  RunFacts facts;
  facts.device = device_.name;
  facts.device_type = to_string(device_.type);
  facts.pci_address = device_.pci_address;
  facts.driver = device_.driver;
  facts.threads = 0;
  facts.settings = settings;
  if (!cache_use_.empty()) facts.settings["kernel_cache"] = cache_use_;
  facts.settings["init_seconds"] = Setting::Numbers{
      {"context", init_seconds_.context}, {"build", init_seconds_.build}, {"upload", init_seconds_.upload}};
  if (!options_.compiler.empty()) facts.settings["cl_options"] = options_.compiler;
  return facts;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
