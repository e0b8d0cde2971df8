#include "common/device/session.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/clock.hpp"
#include "common/cpu/memory.hpp"
#include "common/device/host_values.hpp"
#include "common/run/calls.hpp"

namespace boltzmark::device {
namespace {

/// Empty if the cache has no binary that the driver accepts.
Module load_kept(ContextBase& context, const KernelCache& cache, const std::string& key, const std::string& options) {
  const auto binary = cache.find(key);
  if (!binary) return {};
  try {
    return context.load(*binary, options);
  } catch (const Failure&) {
    return {};
  }
}

bool keep(const KernelCache& cache, const std::string& key, const Module& module) {
  if (!cache.can_store()) return false;  // before the driver is asked for its binary, which can take seconds
  try {
    return cache.store(key, module->binary());
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace

Session::Session(const ComputeDevice& device, const BuildOptions& options)
    : device_(device), options_(options), cache_(keeps_kernels() ? kernel_cache_folder() : "") {
  const Stopwatch timed(init_seconds_.context);
  attempt("open " + device_.name, [&] {
    context_ = api().open(device_);
    queue_ = context_->queue();
  });
  wake_device = [this, word = Buffer()]() mutable {
    attempt("wake the device", [&] {
      if (!word) word = context_->allocate(sizeof(std::uint32_t));
      queue_->fill(word, 0, 0, sizeof(std::uint32_t));
      queue_->finish();
    });
  };
  small_kernels = [this, kernel = Kernel(), counts = Buffer()](int kernels) mutable {
    attempt("start small kernels", [&] {
      if (!counts) {
        counts = context_->allocate(sizeof(std::uint32_t));
        kernel = Kernel(build(small_kernel, {}), "count_launches", counts);
      }
      for (int i = 0; i < kernels; ++i) queue_->launch(kernel, Range(1), Range(1));
      queue_->finish();
    });
    keep_programs();
  };
}

Session::~Session() {
  wake_device = {};
  small_kernels = {};
}

Queue Session::another_queue(QueueKind kind) const {
  return attempt("open another queue of " + device_.name, [&] { return context_->queue(kind); });
}

Module Session::build(std::string_view source, const KernelShape& shape) {
  const Stopwatch timed(init_seconds_.build);
  const std::string options = api().compiler_options(device_, options_, shape);
  const std::string key = fmt::format("{}\n{}\n{}\n{}{}", device_.name, device_.driver, options, api().language,
                                      source);  // all that a binary depends on
  if (cache_use_.empty()) cache_use_ = keeps_kernels() ? "hit" : options_.kernel_cache ? "the driver's" : "off";
  if (const Module kept = load_kept(*context_, cache_, key, options)) {
    built_.push_back({kept, ""});
    return kept;
  }
  try {
    const Module module = context_->build(source, options, shape);
    if (keeps_kernels()) cache_use_ = "miss";
    built_.push_back({module, keeps_kernels() ? key : ""});
    return module;
  } catch (const Error& error) {
    if (options_.compiler.empty()) throw;
    throw bad_input("--{} \"{}\": {}", api().compiler_option, options_.compiler, error.what());
  }
}

/// Called after the first launches, because some drivers compile lazily.
void Session::keep_programs() {
  for (Built& built : built_) {
    if (built.key.empty()) continue;
    if (!keep(cache_, built.key, built.module)) cache_use_ = "miss, not stored";
    built.key.clear();
  }
}

void Session::allocate(const std::vector<BufferRequest>& requests) {
  const Stopwatch timed(init_seconds_.upload);
  std::size_t needed = 0, largest = 0;
  for (const auto& request : requests) {
    needed += request.bytes;
    largest = std::max(largest, request.bytes);
  }
  const auto too_large = [&](const std::string& why) {
    constexpr double mib = 1 << 20;
    const auto up = [](double bytes) { return std::ceil(10.0 * bytes / mib) / 10.0; };
    const auto down = [](double bytes) { return std::floor(10.0 * bytes / mib) / 10.0; };
    return unavailable(
        "{} has too little memory: this problem needs {:.1f} MiB, {:.1f} MiB of it in one buffer; the device "
        "has {:.1f} MiB and allows {:.1f} MiB per buffer{}",
        device_.name, up(needed), up(largest), down(device_.global_bytes), down(device_.largest_buffer_bytes), why);
  };
  if (needed > device_.global_bytes || largest > device_.largest_buffer_bytes) throw too_large("");
  if (!device_.has_own_memory() || options_.memory == MemoryKind::pinned)
    require_memory("this problem", static_cast<double>(needed));
  try {
    for (const auto& request : requests) {
      *request.buffer = context_->allocate(request.bytes, options_.memory);
      // Many drivers allocate memory only when it is first written, so a shortage may show only here.
      if (request.content)
        queue_->write(*request.buffer, 0, request.bytes, request.content);
      else
        zero(*request.buffer, request.bytes);
    }
    queue_->finish();
  } catch (const Failure& failure) {
    if (failure.is_for_memory()) throw too_large(fmt::format(", of which others may have some ({})", failure.status()));
    throw unavailable("cannot allocate the arrays on {}: {}", device_.name, failure.what());
  }
}

Buffer Session::array(std::size_t bytes) {
  return attempt("allocate an array on " + device_.name, [&] {
    if (device_.has_own_memory()) return context_->allocate(bytes, options_.memory);
    auto& memory = host_memory_.emplace_back(bytes);
    return context_->allocate(bytes, MemoryKind::host, memory.data());
  });
}

Buffer Session::pinned(std::size_t bytes) {
  return attempt("allocate memory for transfers", [&] { return context_->allocate(bytes, MemoryKind::pinned); });
}

/// Fills the beginning, then copies it: NVIDIA's driver (version 580) fails with CL_OUT_OF_RESOURCES on fills of 9.2
/// GiB, after minutes, and on repeated fills of 1 GiB, but not on copies.
void Session::fill(const Buffer& buffer, std::size_t bytes, std::uint32_t word) const {
  constexpr std::size_t filled = std::size_t{1} << 30;
  queue_->fill(buffer, word, 0, std::min(filled, bytes));
  for (std::size_t done = filled; done < bytes; done += filled)
    queue_->copy(buffer, 0, buffer, done, std::min(filled, bytes - done));
}

void Session::spoil(const std::vector<BufferRequest>& results) {
  constexpr std::size_t piece = 1024, pieces = 256;
  attempt("overwrite the results of the run before", [&] {
    for (const BufferRequest& one : results) {
      const std::size_t stride = one.bytes / pieces / piece * piece;
      const std::size_t before = spoiled_[one.buffer]++;
      if (before == 0 || stride <= piece) {
        fill(*one.buffer, one.bytes, spoiled_word);
        continue;
      }
      const std::size_t shift = before * 0x9e3779b1 % (stride / piece) * piece;
      for (std::size_t at = shift; at + piece <= one.bytes; at += stride)
        queue_->fill(*one.buffer, spoiled_word, at, piece);
      queue_->fill(*one.buffer, spoiled_word, one.bytes - piece, piece);
    }
    queue_->finish();
  });
}

void Session::read_values(const Buffer& buffer, std::int64_t first, std::span<double> values) const {
  HostValues found(options_.precision, static_cast<std::int64_t>(values.size()));
  const auto value_bytes = static_cast<std::size_t>(bytes_of(options_.precision));
  attempt("read an array",
          [&] { queue_->read(buffer, static_cast<std::size_t>(first) * value_bytes, found.bytes(), found.data()); });
  found.read(0, values);
}

/// Only a launch shows which groups a kernel's registers and local memory allow: drivers report a smaller
/// CL_KERNEL_WORK_GROUP_SIZE than they run.
void Session::first_launches(WorkGroup group, const std::function<void()>& launches) {
  const Stopwatch timed(init_seconds_.build);
  try {
    launches();
    queue_->finish();
  } catch (const Failure& failure) {
    if (failure.is_for_group())
      throw unavailable("--work-group: {} cannot run this kernel in groups of {}: {}", device_.name, to_string(group),
                        failure.status());
    throw unavailable("cannot run the kernels for the first time: {}", failure.what());
  }
  keep_programs();
}

void Session::upload(const std::function<void()>& work) {
  const Stopwatch timed(init_seconds_.upload);
  attempt("set the start state", [&] {
    work();
    queue_->finish();
  });
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
  if (options_.memory != MemoryKind::device)
    facts.settings["memory"] = options_.memory == MemoryKind::managed ? "managed" : "host";
  return facts;
}

}  // namespace boltzmark::device
