// boltzmark-peaks-opencl: bandwidths, latencies, FLOP rates, launch cost and host transfers of every OpenCL device.
#include "analysis/peaks/device/open_device.hpp"

#include <cmath>
#include <cstring>
#include <span>

#include "analysis/peaks/circle.hpp"
#include "analysis/peaks/figures.hpp"
#include "common/device/session.hpp"
#include "common/target/random.h"
#include "opencl/runtime/api.hpp"

namespace boltzmark::peaks {

/// The kernels' sources, with what they include.
extern const std::string_view bandwidth_source, flops_source, latency_source, tensor_source;

namespace {

// Bandwidth over a sweep of working sets, and of local memory.

constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

struct Pattern {
  const char *name, *kernel;
  int arrays, counted;  ///< held, and as STREAM counts
};
constexpr Pattern patterns[] = {{"read", "read_tiles", 1, 1},
                                {"copy", "copy_tiles", 2, 2},
                                {"triad", "triad_tiles", 3, 3},
                                {"update", "update_tiles", 1, 2}};

/// A device's buffers and kernels for this; made when first asked for.
class Memory {
 public:
  explicit Memory(std::shared_ptr<OpenDevice> opened) : opened_(std::move(opened)) {}

  /// A GPU's working sets begin where they keep all its units busy and are more than a unit's own cache, in steps of
  /// the square root of two. A CPU's begin where they are a small part of each core's first cache, in steps of two: the
  /// processor has a separate, finer sweep.
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

  TimedWork workload(const Pattern& pattern, std::uint64_t count) {
    prepare();
    const std::size_t items = opened_->group_items(), resident = opened_->resident_groups();
    // A working set far beyond the caches is done in one launch by as many groups as it has tiles, as in the models.
    const bool in_one_go = !opened_->is_cpu() && count >= 16 * resident;
    const Range global(items * (in_one_go ? count : std::min<std::size_t>(resident, count)));
    const Kernel kernel = kernel_of(pattern, static_cast<std::uint32_t>(count));
    TimedWork work = {.bytes_a_round = static_cast<double>(count * tile_bytes()) * pattern.counted,
                      .batch_seconds = opened_->batch_seconds(),
                      .run = opened_->rounds_of(kernel, global, items)};
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

  TimedWork local_workload() {
    if (opened_->is_cpu() || !opened_->device.has_local_memory)
      throw unavailable("local memory of this device is ordinary cached memory");
    prepare();
    const std::size_t items = opened_->group_items(), groups = opened_->resident_groups();
    const Kernel kernel = attempt("find a kernel", [&] { return Kernel(module_, "read_local", 0, sink_); });
    return {.bytes_a_round = static_cast<double>(groups * items * 4 * vector_bytes()),
            .batch_seconds = opened_->batch_seconds(),
            .run = opened_->rounds_of(kernel, Range(groups * items), items)};
  }

 private:
  /// A work-item of a GPU loads four numbers at once, one of a CPU a register.
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

  /// With all arguments except the first one, the number of passes.
  Kernel kernel_of(const Pattern& pattern, std::uint32_t tiles) {
    return attempt("find a kernel", [&] {
      const auto& [a, b, c] = arrays_;
      if (pattern.counted == 1) return Kernel(module_, pattern.kernel, 0, a, sink_, tiles);
      if (pattern.arrays == 1) return Kernel(module_, pattern.kernel, 0, a, tiles, 0.5f);
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

// Rates of arithmetic.

constexpr int links = 16;  // LINKS of flops.cl

/// In a work-item: on a CPU as many as registers allow; a GPU's unit has many items to choose from.
int chains_of(OpenDevice& opened, Precision precision, int lanes) {
  const bool has_many_registers = lanes * bytes_of(precision) >= 64;  // 32 of 512 bits
  return opened.is_cpu() && has_many_registers ? 24 : 12;
}

struct Arithmetic {
  Precision precision;
  bool fma = false;
  std::string operation = operation::multiply_add;
};

/// A kernel, and the buffer that it never writes to.
template <class T>
std::pair<Kernel, Buffer> make_chains(OpenDevice& opened, const Arithmetic& what, int lanes, int chains) {
  const bool is_root = what.operation == operation::root;
  const Module module =
      opened.build(flops_source, fmt::format("-D LANES={} -D CHAINS={} -D OPERATION={}{}", lanes, chains,
                                             is_root                                 ? "ROOT"
                                             : what.operation == operation::division ? "DIVISION"
                                                                                     : "MULTIPLY_ADD",
                                             sizeof(T) == 8 ? " -D DOUBLES" : ""));
  return attempt("set up the FLOP kernel", [&] {
    const Buffer sink = opened.context()->allocate(opened.group_items() * sizeof(T));
    if (what.operation == operation::wide_multiplication)
      return std::pair(Kernel(module, "wide", 0, sink, PHILOX_MULTIPLIER, ~std::uint64_t{0}), sink);
    const bool is_separate = what.operation == operation::multiply_add && !what.fma;
    const T factor = is_root ? 0x1p-20 : 1.0 - 0x1p-20, summand = is_root ? 1.37 : 0x1p-20;
    return std::pair(Kernel(module, is_separate ? "separate" : "chains", 0, sink, factor, summand), sink);
  });
}

/// Throws Error (unavailable) when the device cannot do it.
void check_ability(const ComputeDevice& device, const Arithmetic& what) {
  if (what.precision == Precision::f64 && !device.has_doubles) throw unavailable("this device has no double precision");
  // Double precision always has it.
  if (what.precision == Precision::f32 && what.fma && !device.has_fma)
    throw unavailable("this device has no fused multiply-add in single precision");
}

TimedWork compute(OpenDevice& opened, const Arithmetic& what) {
  check_ability(opened.device, what);
  // Words of 64 bits hold the products.
  const bool is_wide = what.operation == operation::wide_multiplication;
  const int lanes = opened.is_cpu() ? opened.device.native_lanes(is_wide ? Precision::f64 : what.precision) : 1;
  const int chains = what.operation == operation::multiply_add ? chains_of(opened, what.precision, lanes) : 8;
  const auto [kernel, sink] = what.precision == Precision::f32 ? make_chains<float>(opened, what, lanes, chains)
                                                               : make_chains<double>(opened, what, lanes, chains);
  // Twice as many groups as are resident, so that no unit runs dry before the others end.
  const std::size_t items = opened.group_items(), all_items = 2 * opened.resident_groups() * items;
  return {.items_a_round = static_cast<double>(all_items) * lanes * chains * links * (what.fma ? 2.0 : 1.0),
          .batch_seconds = opened.batch_seconds(),
          .run = opened.rounds_of(kernel, Range(all_items), items, {sink})};
}

/// Formats of NVIDIA's tensor cores: the word that contains 1/16 once or twice.
struct TensorFormat {
  const char *name, *define;
  int depth, least_capability;
  std::uint32_t word;
};
constexpr TensorFormat tensor_formats[] = {{"f64", "TENSOR_F64 -D DOUBLES", 8, 90, 0},
                                           {"tf32", "TENSOR_TF32", 8, 80, 0x3d800000},
                                           {"f16", "TENSOR_F16", 16, 80, 0x2c002c00},
                                           {"bf16", "TENSOR_BF16", 16, 80, 0x3d803d80}};

/// Sums of 16 x 8 in each warp.
TimedWork tensor_compute(OpenDevice& opened, const TensorFormat& format) {
  constexpr int chains = 8, warp = 32;
  const std::size_t items = opened.group_items(), all_items = 2 * opened.resident_groups() * items;
  const Module module = opened.build(tensor_source, fmt::format("-D LANES=1 -D CHAINS={} -D STEP_DEPTH={} -D {}",
                                                                chains, format.depth, format.define));
  Buffer sink;
  const Kernel kernel = attempt("set up the tensor cores' kernel", [&] {
    sink = opened.context()->allocate(items * sizeof(double));
    return format.word == 0 ? Kernel(module, "tensor_chains", 0, sink, 0.0625)
                            : Kernel(module, "tensor_chains", 0, sink, format.word);
  });
  return {.items_a_round = static_cast<double>(all_items / warp) * chains * links * 2.0 * 16 * 8 * format.depth,
          .batch_seconds = opened.batch_seconds(),
          .run = opened.rounds_of(kernel, Range(all_items), items, {sink})};
}

// Latency, each by a working set that the memory alone holds.

constexpr std::uint64_t line_bytes = 128, local_places = 256;

TimedWork loads(OpenDevice& opened, const std::string& level, std::uint64_t bytes) {
  const Module module =
      opened.build(latency_source, fmt::format("-D LOADS={} -D PLACES={}", loads_a_round, local_places));
  Buffer at, next;
  Kernel kernel = attempt("set up loads of " + level, [&] {
    at = opened.context()->allocate(sizeof(std::uint32_t));
    opened.queue()->fill(at, 0, 0, sizeof(std::uint32_t));
    if (level == "local") return Kernel(module, "chase_local", 0, at);
    constexpr std::uint32_t apart = line_bytes / sizeof(std::uint32_t);
    const auto circle = random_circle(bytes / line_bytes);
    std::vector<std::uint32_t> places(circle.size() * apart);
    for (std::size_t i = 0; i < circle.size(); ++i) places[i * apart] = circle[i] * apart;
    next = opened.context()->allocate(bytes);
    opened.queue()->write(next, 0, bytes, places.data());
    return Kernel(module, "chase", 0, next, at);
  });
  return {.items_a_round = loads_a_round,
          .batch_seconds = opened.batch_seconds(),
          .run = opened.rounds_of(kernel, Range(1), 1, {at, next})};
}

// Cost of a kernel's launch, with and without a wait by the host, and bandwidth between host and device.

constexpr std::size_t transfer_bytes = std::size_t{64} << 20;

TimedWork launches(OpenDevice& opened, bool each_is_awaited) {
  const std::size_t items = opened.group_items();
  const Module module = opened.build(device::small_kernel, "");
  Buffer counts;  // captured below: a kernel does not keep its buffers alive
  const Kernel kernel = attempt("set up a small kernel", [&] {
    counts = opened.context()->allocate(items * sizeof(std::uint32_t));
    opened.queue()->fill(counts, 0, 0, items * sizeof(std::uint32_t));
    return Kernel(module, "count_launches", counts);
  });
  const auto run = [items, kernel, counts, each_is_awaited, &opened](long rounds) {
    return Batch{opened.host_seconds([&](const Queue& queue) {
      for (long launch = 0; launch < rounds; ++launch) {
        queue->launch(kernel, Range(items), Range(items));
        if (each_is_awaited) queue->finish();
      }
    })};
  };
  return {.items_a_round = 1.0, .batch_seconds = opened.batch_seconds(), .run = run};
}

/// The host's memory is in the form that the driver prefers (page-locked where that matters).
TimedWork transfers(OpenDevice& opened, bool to_device) {
  Buffer remote, pinned;
  attempt("allocate 64 MiB on " + opened.device.name + " and the host", [&] {
    remote = opened.context()->allocate(transfer_bytes);
    pinned = opened.context()->allocate(transfer_bytes, MemoryKind::pinned);
  });
  std::memset(pinned.host(), 0, transfer_bytes);
  const auto run = [=, &opened](long rounds) {
    return Batch{opened.host_seconds([&](const Queue& queue) {
      for (long i = 0; i < rounds; ++i)
        if (to_device)
          queue->start_write(remote, {0, transfer_bytes}, pinned.host());
        else
          queue->start_read(remote, {0, transfer_bytes}, pinned.host());
    })};
  };
  return {.bytes_a_round = static_cast<double>(transfer_bytes), .batch_seconds = opened.batch_seconds(), .run = run};
}

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

void add_compute(int number, const std::shared_ptr<OpenDevice>& opened) {
  const auto add = [&](const Arithmetic& what) {
    std::vector<std::pair<std::string, std::string>> labels = {
        {"device", std::to_string(number)},
        {"precision", precision_of(what.operation, to_string(what.precision))},
        {"fma", what.fma ? "1" : "0"}};
    if (what.operation != operation::multiply_add) labels.insert(labels.begin(), {"operation", what.operation});
    add_benchmark(benchmark_name("compute", labels), [=] { return compute(*opened, what); });
  };
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const bool fma : {true, false}) add({precision, fma});
    for (const char* const operation : {operation::division, operation::root}) add({precision, false, operation});
  }
  add({Precision::f32, false, operation::wide_multiplication});
  for (const TensorFormat& format : tensor_formats)
    if (opened->device.capability >= format.least_capability)
      add_benchmark(benchmark_name("compute", {{"operation", operation::tensor},
                                               {"device", std::to_string(number)},
                                               {"precision", format.name},
                                               {"fma", "1"}}),
                    [=] { return tensor_compute(*opened, format); });
}

void add_latency(int number, const std::shared_ptr<OpenDevice>& opened) {
  const ComputeDevice& device = opened->device;
  const std::uint64_t memory =
      std::min({(opened->is_cpu() ? 256 : 1024) * mib, device.largest_buffer_bytes, device.global_bytes / 16});
  const std::pair<const char*, std::uint64_t> levels[] = {{"local", local_places * sizeof(std::uint32_t)},
                                                          {"first cache", 16 * kib},
                                                          {"cache", std::min(4 * mib, memory)},
                                                          {"memory", memory / line_bytes * line_bytes}};
  const bool has_local = !opened->is_cpu() && device.has_local_memory;  // else its bandwidth says why not
  for (const auto& [level, bytes] : std::span(levels).subspan(has_local ? 0 : 1))
    add_benchmark(
        benchmark_name("latency",
                       {{"device", std::to_string(number)}, {"level", level}, {"bytes", std::to_string(bytes)}}),
        [opened, level = std::string(level), bytes = bytes] { return loads(*opened, level, bytes); });
}

void add_launch_and_transfer(int number, const std::shared_ptr<OpenDevice>& opened) {
  const std::string device = std::to_string(number);
  // The shortest of many, even for rough figures: with two repetitions it was a third too long.
  constexpr int repetitions = 9;
  for (const bool each_is_awaited : {false, true})
    add_benchmark(
        benchmark_name(each_is_awaited ? "launch_and_wait" : "launch", {{"device", device}}),
        [=] { return launches(*opened, each_is_awaited); }, repetitions);
  for (const bool to_device : {true, false})
    add_benchmark(benchmark_name("transfer", {{"device", device}, {"direction", to_device ? "to" : "from"}}),
                  [=] { return transfers(*opened, to_device); });
}

Peaks describe() {
  Peaks found;
  for (const ComputeDevice& device : api().find_devices()) {
    DevicePeaks& described = found.devices.emplace_back();
    described.name = device.name;
    described.type = to_string(device.type);
    described.platform = device.platform;
    described.driver = device.driver;
    described.compute_units = device.units;
    described.memory_bytes = static_cast<std::int64_t>(device.global_bytes);
    described.local_bytes = static_cast<std::int64_t>(device.local_bytes);
    described.cache_bytes = static_cast<std::int64_t>(device.cache_bytes);
  }
  return found;
}

void add_benchmarks() {
  int number = 0;
  for (const ComputeDevice& device : api().find_devices()) {
    const auto opened = std::make_shared<OpenDevice>(device);
    for (const auto add : {add_bandwidth, add_compute, add_latency, add_launch_and_transfer}) add(number, opened);
    ++number;
  }
}

}  // namespace
}  // namespace boltzmark::peaks

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(opencl::api());
  return measuring_main(
      argc, argv,
      {.name = "boltzmark-peaks-opencl", .describe = peaks::describe, .add_benchmarks = peaks::add_benchmarks});
}
