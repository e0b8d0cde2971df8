// Shared by the variants of this model: the devices that SYCL finds, the queue of the chosen one, its memory, and its
// facts in the record. On a processor a work-item is a worker, which has a part of the data; on a GPU neighbouring
// items have neighbouring values. Kernels for the one are never started on the other.
#pragma once

#include <cstdlib>

/// Before AdaptiveCpp starts, which it does before main(): else it warns of every library that a machine lacks, on
/// standard output.
__attribute__((constructor(101))) static void show_errors_alone() { setenv("ACPP_DEBUG_LEVEL", "1", 0); }

#define ACPP_ALLOW_INSTANT_SUBMISSION 1  // AdaptiveCpp: a queue in order needs no graph of what depends on what
#include <sycl/sycl.hpp>
#ifdef __ACPP__
#define BOLTZMARK_WITHOUT_ASM  // at which AdaptiveCpp's compiler of generic kernels ends
#endif

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/in_parallel.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/device/device.hpp"
#include "common/run/calls.hpp"
#include "common/run/workers.hpp"

/// Not `sycl`, which is the library's.
namespace boltzmark::by_sycl {

/// The implementation, e.g. "AdaptiveCpp 24.06.0".
inline std::string implementation() {
#if defined(ACPP_VERSION_MAJOR)
  return fmt::format("AdaptiveCpp {}.{:02}.{}", ACPP_VERSION_MAJOR, ACPP_VERSION_MINOR, ACPP_VERSION_PATCH);
#elif defined(__SYCL_COMPILER_VERSION)
  return fmt::format("DPC++ {}", __SYCL_COMPILER_VERSION);
#else
  return "SYCL";
#endif
}

/// SYCL's devices for the choice among them (common/device/device.hpp). Kernels are in the programs: no source is
/// compiled here.
struct Api : device::Api {
  Api() { name = "SYCL", model = "sycl", may_be_processor = true; }

  std::vector<device::ComputeDevice> find_devices() const override {
    namespace info = ::sycl::info::device;
    std::vector<device::ComputeDevice> found;
    for (const auto& one : ::sycl::device::get_devices()) {
      device::ComputeDevice device;
      device.number = static_cast<int>(found.size());
      device.type = one.is_gpu()   ? device::DeviceType::gpu
                    : one.is_cpu() ? device::DeviceType::cpu
                                   : device::DeviceType::accelerator;
      device.name = one.is_cpu() ? cpu_name() : one.get_info<info::name>();
      device.platform = one.get_platform().get_info<::sycl::info::platform::name>();
      device.driver = fmt::format("{} {}, {}", device.platform, one.get_info<info::driver_version>(), implementation());
      device.units = one.is_cpu() ? usable_cores() : static_cast<int>(one.get_info<info::max_compute_units>());
      const std::uint64_t memory = one.get_info<info::global_mem_size>();
      device.global_bytes = device.largest_buffer_bytes = one.is_cpu() ? total_memory_bytes() : memory;
      device.local_bytes = std::min<std::uint64_t>(device.global_bytes, one.get_info<info::local_mem_size>());
      device.max_work_group = one.get_info<info::max_work_group_size>();
      device.max_work_group_x = device.max_work_group_y = device.max_work_group_z = device.max_work_group;
      device.has_doubles = one.has(::sycl::aspect::fp64);
      const auto sizes = one.get_info<info::sub_group_sizes>();
      for (const std::size_t size : sizes) device.sub_group_size = std::max(device.sub_group_size, int(size));
      if (device.sub_group_size > 0) device.sub_groups = device::SubGroups::standard;
      found.push_back(std::move(device));
    }
    if (found.empty()) throw unavailable("{} finds no device", implementation());
    return found;
  }
  device::Context open(const device::ComputeDevice&) const override { throw std::logic_error("SYCL opens by a queue"); }
  std::string compiler_options(const device::ComputeDevice&, const device::BuildOptions&,
                               const device::KernelShape&) const override {
    return "";
  }
};

/// The device of --device, and the queue of all that runs on it, in order.
struct Chosen {
  device::ComputeDevice device;
  ::sycl::queue queue;
};
inline std::optional<Chosen> chosen;
/// For a kernel, which it counts (common/run/calls.hpp).
inline ::sycl::queue& queue() {
  ++calls.launches;
  return chosen->queue;
}
/// Returns when all commands are done. Throws Error (unavailable) if one failed.
inline void wait_for_all() {
  ++calls.waits;
  chosen->queue.wait_and_throw();
}
inline bool is_cpu() { return chosen->device.type == device::DeviceType::cpu; }
/// Whether it is a processor whose kernels use this machine's memory.
inline bool reaches_host() {
  return is_cpu() && chosen->queue.get_device().has(::sycl::aspect::usm_system_allocations);
}
/// On a processor: work-items, each with a part.
inline std::int64_t units() { return std::max(1, chosen->device.units); }

/// Returns when it is done, and all before it. (An event of AdaptiveCpp's does not know what becomes of errors.)
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  chosen->queue.memcpy(to, from, bytes);
  wait_for_all();
}

/// Memory of the device, not touched yet, and aligned to the longest vectors.
template <class T>
class Usm {
 public:
  Usm() = default;
  explicit Usm(std::int64_t count) : count_(count) {
    auto& q = chosen->queue;
    constexpr std::size_t line = 64;  // AdaptiveCpp wants whole ones
    const std::size_t bytes =
        (static_cast<std::size_t>(std::max<std::int64_t>(1, count)) * sizeof(T) - 1) / line * line + line;
    memory_ = {static_cast<T*>(::sycl::aligned_alloc_device(line, bytes, q)),
               [q](T* memory) mutable { q.wait(), ::sycl::free(memory, q); }};
    if (!memory_) throw unavailable("{}: cannot allocate {:.3g} GiB", chosen->device.name, 1.0 * bytes / (1 << 30));
    if (is_cpu()) advise_huge_pages(data(), bytes);
  }
  std::int64_t size() const { return count_; }
  T* data() const { return memory_.get(); }
  /// All values, or this many from number `first` on.
  void write(const T* from, std::int64_t first = 0, std::int64_t count = -1) const {
    copy_bytes(data() + first, from, bytes_of(count));
  }
  void read(T* to, std::int64_t first = 0, std::int64_t count = -1) const {
    copy_bytes(to, data() + first, bytes_of(count));
  }

 private:
  std::size_t bytes_of(std::int64_t count) const {
    return static_cast<std::size_t>(count < 0 ? count_ : count) * sizeof(T);
  }
  std::int64_t count_ = 0;
  std::shared_ptr<T> memory_;
};

/// Partial results of a run, in memory that is kept for the next one. spoil() spoils it, so that a lost kernel is seen.
inline Usm<std::uint64_t> kept;
inline void spoil_partial_results() {
  if (kept.size() == 0) return;
  chosen->queue.memset(kept.data(), 0xff, sizeof(std::uint64_t) * kept.size());
  wait_for_all();
}
template <class T>
T* partial_results(std::int64_t count) {
  const auto words = (count * static_cast<std::int64_t>(sizeof(T)) + 7) / 8;
  if (kept.size() < words) kept = Usm<std::uint64_t>(words), spoil_partial_results();
  return reinterpret_cast<T*>(kept.data());
}

/// An array in this machine's memory as kernels have it: itself on a processor that reaches it, else a copy in the
/// device's memory.
template <class T>
struct InUsm {
  T* host = nullptr;
  Usm<T> copy = {};

  InUsm() = default;
  InUsm(T* array, std::int64_t count) : host(array) {
    if (reaches_host()) return;
    copy = Usm<T>(count);
    copy.write(host);
  }
  T* data() const { return copy.data() ? copy.data() : host; }
  /// Before a run, of the arrays that it writes, which are spoilt: here the device does it.
  void upload() const {
    if (copy.data()) chosen->queue.memset(copy.data(), 0xff, sizeof(T) * static_cast<std::size_t>(copy.size()));
    wait_for_all();
    spoil_partial_results();
  }
  void download() const {
    if (copy.data()) copy.read(host);
  }
};

inline constexpr int group_items = 256;  ///< of a GPU
inline ::sycl::nd_range<1> groups_over(std::int64_t items) {
  const std::int64_t groups = (items + group_items - 1) / group_items;
  return {static_cast<std::size_t>(groups * group_items), group_items};
}

/// work(i) for i = 0 .. count - 1, on a processor, where each is worth a thread's while: a group of one item, because
/// AdaptiveCpp's generic kernels distribute groups over threads and would put many items into one.
template <class Work>
void each_part(std::int64_t count, const Work& work) {
  queue().parallel_for(::sycl::nd_range<1>(static_cast<std::size_t>(count), 1),
                       [=](::sycl::nd_item<1> item) { work(static_cast<std::int64_t>(item.get_group_linear_id())); });
}
/// work(me, units) on each unit of it.
template <class Work>
void each_unit(const Work& work) {
  each_part(units(), [=, all = units()](std::int64_t me) { work(me, all); });
}
/// work(i) for i = 0 .. count - 1, on any device.
template <class Work>
void each(std::int64_t count, const Work& work) {
  if (count < 1) return;
  if (is_cpu()) {
    queue().parallel_for(::sycl::range<1>(static_cast<std::size_t>(count)),
                         [=](::sycl::id<1> i) { work(static_cast<std::int64_t>(i[0])); });
    return;
  }
  queue().parallel_for(groups_over(count), [=](::sycl::nd_item<1> item) {
    const auto i = static_cast<std::int64_t>(item.get_global_linear_id());
    if (i < count) work(i);
  });
}

inline void start(const Options& asked) {
  kept = {};
  const device::ComputeDevice device = device::device_for(asked);
  const auto fail = [name = device.name](const ::sycl::exception_list& list) {
    for (const auto& one : list) try {
        std::rethrow_exception(one);
      } catch (const std::exception& error) {
        throw unavailable("{}: {}", name, error.what());
      }
  };
  chosen.emplace(Chosen{device, ::sycl::queue(::sycl::device::get_devices()[static_cast<std::size_t>(device.number)],
                                              fail, {::sycl::property::queue::in_order()})});
  small_kernels = [numbers = Usm<std::int64_t>(units())](int kernels) {
    for (int i = 0; i < kernels; ++i) each_unit([to = numbers.data()](std::int64_t me, std::int64_t) { to[me] = me; });
    wait_for_all();
  };
  wake_device = [] { small_kernels(1); };
}

/// On a GPU: put(group, part) of what the items of each group have, of_item(item, items), joined in the items' order: a
/// tree of two levels, for generic kernels of AdaptiveCpp have no reduce_over_group.
template <class Part, class OfItem, class Join, class Put>
void each_group(std::int64_t items, const OfItem& of_item, const Join& join, const Put& put) {
  constexpr int apart = 16;
  static_assert(apart * apart == group_items);
  queue().submit([&](::sycl::handler& handler) {
    const ::sycl::local_accessor<Part, 1> parts(::sycl::range<1>(group_items), handler);
    handler.parallel_for(groups_over(items), [=](::sycl::nd_item<1> item) {
      const auto me = static_cast<int>(item.get_local_linear_id());
      const auto join_those = [&](int step) {  // neighbours in the same round of joining read neighbouring places
        ::sycl::group_barrier(item.get_group());
        if (me >= step) return;
        Part all = parts[me];
#pragma unroll
        for (int k = 1; k < apart; ++k) join(all, parts[me + k * step]);
        parts[me] = all;
      };
      parts[me % apart * apart + me / apart] = of_item(static_cast<std::int64_t>(item.get_global_linear_id()),
                                                       static_cast<std::int64_t>(item.get_global_range(0)));
      join_those(apart);
      join_those(1);
      if (me == 0) put(static_cast<std::int64_t>(item.get_group_linear_id()), parts[0]);
    });
  });
}

inline constexpr int places_of_groups = 64;  ///< that they share to add a sum up, a processor's units have one each

/// A sum for each of some steps: step(number, sums) enqueues a step for each of `sums`, which are there when this
/// returns.
template <class Step>
void run_steps(std::span<double> sums, const Step& step) {
  const auto places =
      static_cast<std::size_t>(std::max<std::int64_t>(is_cpu() ? units() : 1, reaches_host() ? 1 : places_of_groups));
  const std::size_t most = std::min<std::size_t>(sums.size(), 1024);
  double* const of_steps = partial_results<double>(static_cast<std::int64_t>(most * places));
  std::vector<double> parts(most * places);
  for (std::size_t first = 0; first < sums.size(); first += most) {
    const std::size_t count = std::min(most, sums.size() - first);
    queue().fill(of_steps, 0.0, count * places);
    for (std::size_t number = 0; number < count; ++number)
      step(static_cast<int>(first + number), of_steps + number * places);
    copy_bytes(parts.data(), of_steps, count * places * sizeof(double));
    for (std::size_t number = 0; number < count; ++number)
      sums[first + number] = std::accumulate(parts.data() + number * places, parts.data() + (number + 1) * places, 0.0);
  }
}

/// `sums`, of a step of run_steps(), get the results of of_cell(0 .. cells - 1), each of an item of a GPU.
template <class OfCell>
void add_up(double* sums, std::int64_t cells, const OfCell& of_cell) {
  using Value = decltype(of_cell(cells));
  using Place = ::sycl::atomic_ref<double, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device,
                                   ::sycl::access::address_space::global_space>;
  each_group<Value>(
      cells, [=](std::int64_t cell, std::int64_t) { return cell < cells ? of_cell(cell) : Value(0); },
      [](Value& sum, Value other) { sum += other; },
      [=](std::int64_t group, Value sum) {
        Place(sums[group % places_of_groups]).fetch_add(static_cast<double>(sum));
      });
}

/// of_unit(me, units) on a processor, of_item(me, items) on a GPU, where each group joins what its items have: the
/// parts, joined here with `all`. Part: takes others by take().
template <class Part, class OfUnit, class OfItem>
Part joined(const OfUnit& of_unit, const OfItem& of_item, Part all = {}) {
  const std::int64_t count = units() * (is_cpu() ? 1 : 8);  // groups that a GPU has at once
  Part* const to = partial_results<Part>(count);
  if (is_cpu())
    each_unit([=](std::int64_t me, std::int64_t all) { to[me] = of_unit(me, all); });
  else
    each_group<Part>(
        count * group_items, of_item, [](Part& all, const Part& part) { all.take(part); },
        [=](std::int64_t group, const Part& part) { to[group] = part; });
  std::vector<Part> of_all(static_cast<std::size_t>(count), all);
  copy_bytes(of_all.data(), to, sizeof(Part) * of_all.size());
  for (const Part& part : of_all) all.take(part);
  return all;
}

/// A GPU item's part of an array: total(value) over vectors of 16 bytes, `chain` of which are joined before, and over
/// the numbers after the last one. at<V>(i): vector or number i.
template <class T, int chain, class At, class Join, class Total>
void take_vectors(std::int64_t count, std::int64_t me, std::int64_t items, const At& at, const Join& join,
                  const Total& total) {
  constexpr int lanes = 16 / sizeof(T);
  using Vector = typename Pack<T, lanes>::Raw;
  const std::int64_t whole = count / lanes;
  for (std::int64_t i = me; i < whole;) {
    Vector part = at(Vector(), i);
    if (i + (chain - 1) * items < whole) {
#pragma unroll
      for (int k = 1; k < chain; ++k) part = join(part, at(Vector(), i + k * items));
      i += chain * items;
    } else {
      i += items;
    }
    T value = part[0];
    for (int lane = 1; lane < lanes; ++lane) value = join(value, static_cast<T>(part[lane]));
    total(value);
  }
  for (std::int64_t i = whole * lanes + me; i < count; i += items) total(at(T(), i));
}

/// Threads of this machine for work of the host, such as filling arrays: kernels cannot call functions by pointer. On a
/// processor each is where an implementation that binds its threads has the unit of this number.
inline Workers start_workers(const Options&) {
  const device::ComputeDevice& device = chosen->device;
  static const std::vector<int> processors = usable_processors_by_core();
  Workers workers;
  workers.count = usable_cores();
  workers.run = [count = workers.count](const Workers::Work& work) {
    each_in_parallel(count,
                     [&](std::int64_t me) { bind_thread(processors[static_cast<std::size_t>(me)]), work(int(me)); });
    unbind_thread();
  };
  workers.facts = {.device = device.name,
                   .device_type = to_string(device.type),
                   .driver = device.driver,
                   .threads = is_cpu() ? workers.count : 0,
                   .write_allocate = is_cpu(),
                   .settings = {{"device_number", device.number}}};
  return workers;
}
/// A variant's facts with those of the device.
inline RunFacts on_device(RunFacts facts) { return start_workers({}).with(std::move(facts)); }

/// The main of a program here. The last variant is the default, unless another is `usual`.
inline int run_on_queue(int argc, char** argv, const WorkloadEntry& workload, const Variants& variants,
                        const DefaultVariant& usual = {}) {
  // On processors, where OpenMP runs the kernels: as in the model OpenMP.
  setenv("OMP_NUM_THREADS", std::to_string(usable_cores()).c_str(), 0);
  setenv("OMP_PROC_BIND", "true", 0);
  static const Api api;
  device::use(api);
  Program program = device::program_of(workload);
  program.options.resize(1);  // --device; no compiler takes the others
  program.variants = before_each(variants, start);
  program.default_variant = usual ? usual : DefaultVariant(variants.back()->name.c_str());
  const int status = run_program(argc, argv, program);
  kept = {}, small_kernels = {}, wake_device = {}, chosen.reset();  // while there are backends
  return status;
}

}  // namespace boltzmark::by_sycl
