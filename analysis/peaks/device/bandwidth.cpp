// Bandwidth of a device's memory and caches over a sweep of working sets, and of its local memory.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "analysis/peaks/device/open_device.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"

namespace boltzmark::peaks {

using namespace device;

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
  explicit Memory(std::shared_ptr<OpenDevice> opened) : opened_(std::move(opened)) {}

  /// A GPU's working sets begin where they keep all its units busy and are more than a unit's own cache, in
  /// steps of the square root of two. A CPU's begin where they are a small part of each core's first cache,
  /// in steps of two: the processor has a finer sweep of its own.
  std::vector<std::uint64_t> sizes() const {
    const double first = opened_->is_cpu() ? 16.0 * kib * opened_->device.units : 4.0 * mib;
    const double step = opened_->is_cpu() ? 2.0 : std::sqrt(2.0);
    std::vector<std::uint64_t> sizes;
    for (double size = static_cast<double>(largest()); size >= 0.99 * first; size /= step)
      sizes.push_back(static_cast<std::uint64_t>(size));
    return sizes;
  }

  std::uint64_t tiles(const Pattern& pattern, std::uint64_t bytes) const {
    return std::max<std::uint64_t>(1, bytes / pattern.arrays / tile_bytes());
  }
  std::uint64_t tile_bytes() const { return 4 * opened_->group_items() * vector_bytes(); }

  Workload workload(const Pattern& pattern, std::uint64_t count) {
    prepare();
    const std::size_t items = opened_->group_items(), resident = opened_->resident_groups();
    // A working set far beyond the caches is done in one go by as many groups as it has tiles, as the models do.
    const bool in_one_go = !opened_->is_cpu() && count >= 16 * resident;
    const Range global(items * (in_one_go ? count : std::min<std::size_t>(resident, count)));
    const Kernel kernel = kernel_of(pattern, static_cast<std::uint32_t>(count));
    Workload work = {.bytes_a_round = static_cast<double>(count * tile_bytes()) * pattern.arrays,
                     .batch_seconds = opened_->batch_seconds(),
                     .run = opened_->rounds_of(kernel, global)};
    if (!in_one_go) return work;
    work.run = [=, this](long all_rounds) mutable {
      return Batch{opened_->device_seconds(all_rounds, [&](const Queue& queue, long rounds, Event* first, Event* last) {
        kernel.rebind(std::uint32_t{1});
        for (long launch = 0; launch < rounds; ++launch)
          queue->launch(kernel, global, Range(items), {}, launch == 0 ? first : launch == rounds - 1 ? last : nullptr);
        if (last && rounds == 1) *last = *first;
      })};
    };
    return work;
  }

  Workload local_workload() {
    if (opened_->is_cpu() || !opened_->device.has_local_memory)
      throw unavailable("local memory of this device is ordinary memory in its caches");
    prepare();
    const std::size_t items = opened_->group_items(), groups = opened_->resident_groups();
    const Kernel kernel = attempt("find a kernel", [&] { return Kernel(module_, "read_local", 0, sink_); });
    return {.bytes_a_round = static_cast<double>(groups * items * 4 * vector_bytes()),
            .batch_seconds = opened_->batch_seconds(),
            .run = opened_->rounds_of(kernel, Range(groups * items))};
  }

 private:
  /// Four numbers are what a GPU's item loads at once; a CPU's loads a register.
  int lanes() const { return opened_->is_cpu() ? std::max(4, opened_->device.native_lanes(Precision::f32)) : 4; }
  std::size_t vector_bytes() const { return static_cast<std::size_t>(lanes()) * sizeof(float); }

  /// The largest working set: far more than any cache, and a modest part of the memory.
  std::uint64_t largest() const {
    const ComputeDevice& device = opened_->device;
    const std::uint64_t wanted = opened_->is_cpu() ? 256 * mib : 4 * gib;
    return std::min({wanted, device.largest_buffer_bytes, device.global_bytes / (opened_->is_cpu() ? 8 : 16)});
  }

  void prepare() {
    if (is_ready_) return;
    module_ = opened_->build(bandwidth_source, fmt::format("-D LANES={} -D GROUP={} -D CONSECUTIVE={}", lanes(),
                                                           opened_->group_items(), opened_->is_cpu() ? 1 : 0));
    attempt("allocate " + fmt::format("{} MiB on ", largest() * 11 / 6 / mib) + opened_->device.name, [&] {
      // An array of the largest read, one of the largest copy, one of the largest triad.
      for (std::size_t i = 0; i < arrays_.size(); ++i) {
        const std::uint64_t bytes = std::max(largest() / (i + 1), tile_bytes());
        arrays_[i] = opened_->context()->allocate(bytes);
        opened_->queue()->fill(arrays_[i], 0, 0, bytes / sizeof(float) * sizeof(float));
      }
      sink_ = opened_->context()->allocate(opened_->group_items() * sizeof(float));
      opened_->queue()->finish();
    });
    is_ready_ = true;
  }

  /// With all arguments but the first one, how many passes.
  Kernel kernel_of(const Pattern& pattern, std::uint32_t tiles) {
    return attempt("find a kernel", [&] {
      const auto& [a, b, c] = arrays_;
      if (pattern.arrays == 1) return Kernel(module_, pattern.kernel, 0, a, sink_, tiles);
      if (pattern.arrays == 2) return Kernel(module_, pattern.kernel, 0, a, b, tiles);
      return Kernel(module_, pattern.kernel, 0, a, b, c, tiles, 0.5f);
    });
  }

  std::shared_ptr<OpenDevice> opened_;
  bool is_ready_ = false;
  Module module_;
  std::array<Buffer, 3> arrays_;
  Buffer sink_;
};

}  // namespace

void add_bandwidth(int number, const std::shared_ptr<OpenDevice>& opened) {
  const auto memory = std::make_shared<Memory>(opened);
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

}  // namespace boltzmark::peaks
