// Shared by the variants of this model: Kokkos, started once per process, the memory of its default execution space,
// and facts for the record. Must be included first, because the kernels in common/ are compiled for that space.
#pragma once

#include <Kokkos_Core.hpp>
#define KERNEL_FN KOKKOS_FORCEINLINE_FUNCTION

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "common/cpu/openmp.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::kokkos {

/// The execution space of kernels, set by the Kokkos library with which a program is built.
using Space = Kokkos::DefaultExecutionSpace;
inline constexpr bool is_host = std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>;
inline bool has_threads() { return is_host && std::string_view(Space::name()) != "Serial"; }

/// Indices: numbers, and rows and columns from `first` on. On a GPU a tile is part of a row, so that its neighbours are
/// neighbouring threads in every kind of loop, and as large as possible, because a reduction has few tiles at once.
using Numbers = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
inline auto cells(std::int64_t first, std::int64_t rows, std::int64_t columns) {
  using Cells = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                      Kokkos::IndexType<int>, Kokkos::LaunchBounds<512>>;
  const int begin = int(first), width = is_host ? 0 : 512;  // 0: the library's choice
  return Cells({begin, begin}, {begin + int(rows), begin + int(columns)}, {is_host ? 0 : 1, width});
}

/// A part for each thread of a processor, the same one in every loop.
using Threads = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// A team of them, which may wait for one another. The library has no larger teams.
using Team = Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>;
inline constexpr int most_of_team = 64;

/// An array in this machine's memory and its mirror in the space's memory, which is the array itself if the space is
/// this machine. Data: as for a view, e.g. float**.
template <class Data>
struct Mirrored {
  using Host = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Host host;
  decltype(Kokkos::create_mirror_view_and_copy(Space(), Host())) there;

  Mirrored() = default;
  template <class... Extents>
  Mirrored(typename Host::pointer_type values, Extents... extents)
      : host(values, static_cast<std::size_t>(extents)...), there(Kokkos::create_mirror_view_and_copy(Space(), host)) {}
  void upload() const {
    if constexpr (!is_host) Kokkos::deep_copy(there, host);
  }
  void download() const {
    if constexpr (!is_host) Kokkos::deep_copy(host, there);
  }
};

/// Type of an array in the space's memory.
template <class T>
using View = Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>;

/// An array like Here in common/run/workers.hpp, mirrored.
template <class T>
struct There : Mirrored<T*> {
  using Mirrored<T*>::Mirrored;
  T* data() const { return this->there.data(); }
};

/// A reduction in the form of Kokkos::Sum: by Op::of, with the operators and totals of common/reduce.
template <class T, class Op = T>
struct Joined {
  using reducer = Joined;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::HostSpace>;

  T *result, neutral = *result;

  KOKKOS_INLINE_FUNCTION void init(T& value) const { value = neutral; }
  KOKKOS_INLINE_FUNCTION void join(T& to, const T& other) const { to = Op::of(to, other); }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(volatile T& to, const volatile T& other) const {
    join(const_cast<T&>(to), const_cast<const T&>(other));
  }
#endif
  KOKKOS_INLINE_FUNCTION T& reference() const { return *result; }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_view_type(result); }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

/// As at the first call, outside of all loops: within a loop the OpenMP space may count the threads of a nested one.
inline int threads() {
  static const auto number = static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency());
  return number;
}

/// Called once per process. A processor's threads are bound, cores first, so that none leaves its rows behind; not if
/// the user places them, or if there are more threads than processors.
inline void start(const Options& asked) {
  struct Started {
    explicit Started(std::optional<int> number) {
      setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);
      if (number) setenv("KOKKOS_NUM_THREADS", std::to_string(*number).c_str(), 1);
      // The library counts processors, and ignores the limits of a control group.
      if (has_threads() && told_threads() == 0) setenv("KOKKOS_NUM_THREADS", std::to_string(usable_cores()).c_str(), 0);
      Kokkos::initialize();
      const std::vector<int> processors = usable_processors_by_core();
      if (!has_threads() || std::getenv("OMP_PROC_BIND") || threads() > static_cast<int>(processors.size())) return;
      Kokkos::parallel_for(Threads(0, threads()), [&](std::int64_t me) { bind_thread(processors[me]); });
    }
    ~Started() { Kokkos::finalize(); }
  };
  static const Started started(asked.number("threads"));
  if (asked.number("threads").value_or(threads()) != threads())
    throw unavailable("--threads: expected the {} that Kokkos has started in this process", threads());
}

inline std::string device_name() {
#ifdef KOKKOS_ENABLE_CUDA
  return Space().cuda_device_prop().name;
#else
  return is_host ? cpu_name() : Space::name();
#endif
}

inline std::string library_name() {
  return fmt::format("Kokkos {}.{}.{}, {}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100,
                     Space::name());
}

/// The threads of this machine's space, which is the default space unless that is a GPU.
inline Workers start_workers(const Options&) {
  Workers workers;
  workers.count = threads();
  workers.run = [](const Workers::Work& work) {
    Kokkos::parallel_for(Threads(0, threads()), [&](std::int64_t me) { work(static_cast<int>(me)); });
  };
  workers.facts = {.device = device_name(),
                   .device_type = is_host ? "cpu" : "gpu",
                   .driver = library_name(),
                   .threads = is_host ? workers.count : 0,
                   .write_allocate = is_host};
  return workers;
}

/// As many of them as fit in a team.
inline Workers start_team(const Options& asked) {
  Workers workers = start_workers(asked);
  workers.count = workers.facts.threads = std::min(threads(), most_of_team);
  workers.run = [run = workers.run, count = workers.count](const Workers::Work& work) {
    run([&](int me) {
      if (me < count) work(me);
    });
  };
  return workers;
}

/// The main of a program of this model: variants for every space, for a processor's threads, for a GPU. The last is the
/// default.
inline int run_on_space(int argc, char** argv, const WorkloadEntry& workload, Variants variants,
                        const Variants& of_threads = {}, const Variants& of_gpus = {}) {
  const Variants& of_space = is_host ? of_threads : of_gpus;
  variants.insert(variants.end(), of_space.begin(), of_space.end());
  Program program =
      cpu_program(workload, "kokkos", "in Kokkos", before_each(variants, start), variants.back()->name.c_str());
  if (has_threads()) program.options = {threads_option("what Kokkos says")};
  if (!is_host) program.devices = [] { return start({}), std::vector<Device>{{"gpu", device_name(), Space::name()}}; };
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::kokkos
