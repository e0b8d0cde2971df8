// What the variants of this model have in common: Kokkos started once in a process, the memory of its default execution
// space, and what the record says of both. To be included first: the kernels in common/ are compiled for that space.
#pragma once

#include <Kokkos_Core.hpp>
#define KERNEL_FN KOKKOS_FORCEINLINE_FUNCTION

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/simd.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::kokkos {

/// Where kernels run, which the Kokkos library decides that a program is built with.
using Space = Kokkos::DefaultExecutionSpace;
inline constexpr bool is_host = std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>;
inline bool has_threads() { return is_host && std::string_view(Space::name()) != "Serial"; }

/// What an index of a vectorised kernel takes: a vector of a processor, one value of a GPU's thread.
template <class T>
constexpr int lanes_of = is_host ? native_lanes<T> : 1;
template <class T>
using Lanes = std::conditional_t<is_host, Pack<T, native_lanes<T>>, T>;

template <class Real, class T>
KERNEL_FN Real load(const T* from) {
  Real value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class Real, class T>
KERNEL_FN void store(const Real& value, T* to) {
  __builtin_memcpy(to, &value, sizeof value);
}
KERNEL_FN double sum_of_lanes(float value) { return static_cast<double>(value); }
KERNEL_FN double sum_of_lanes(double value) { return value; }
template <class T, int n>
KERNEL_FN double sum_of_lanes(const Pack<T, n>& value) {
  return static_cast<double>(value.sum());
}

using Numbers = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
using Rows = Kokkos::TeamPolicy<Space>;
using Member = Rows::member_type;
/// A team for each row: one thread of a processor, which takes it in vectors, or a block of a GPU's.
inline Rows rows_policy(std::int64_t rows) { return {static_cast<int>(rows), is_host ? 1 : 128}; }

/// Memory that the kernel which first writes it places near its threads.
template <class View, class... Extents>
View untouched(const char* name, Extents... extents) {
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(name)), static_cast<std::size_t>(extents)...);
}

/// Zeros in each row of a view, the first extent of it, written by the team that will have the row.
template <class View>
View of_zeros(const View& view) {
  using T = typename View::value_type;
  const auto rows = static_cast<std::int64_t>(view.extent(0)), values = static_cast<std::int64_t>(view.size()) / rows;
  T* const data = view.data();
  Kokkos::parallel_for(
      rows_policy(rows), KOKKOS_LAMBDA(const Member& team) {
        T* const row = data + team.league_rank() * values;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, values), [&](std::int64_t at) { row[at] = 0; });
      });
  return view;
}

/// To and from the space: a view, with what fill(mirror on the host) writes; and a mirror of a view on the host.
template <class View, class Fill>
View filled(View view, const Fill& fill) {
  const auto host = Kokkos::create_mirror_view(view);
  fill(host);
  Kokkos::deep_copy(view, host);
  return view;
}
template <class T>
Kokkos::View<T*> in_space(const std::vector<T>& values) {
  return filled(untouched<Kokkos::View<T*>>("values", values.size()),
                [&](const auto& host) { std::copy(values.begin(), values.end(), host.data()); });
}
template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Values of an array from number `first` on.
template <class T>
void read_values(const Kokkos::View<T*>& array, std::int64_t first, std::span<double> values) {
  const auto part = on_host(Kokkos::subview(array, std::pair(first, first + static_cast<std::int64_t>(values.size()))));
  std::copy_n(part.data(), values.size(), values.begin());
}

/// A reduction of `Op`, as common/reduce has them, in the form of Kokkos::Sum, Kokkos::Max and their like.
template <class Op, class T>
struct Joined {
  using reducer = Joined;
  using value_type = T;
  using result_view_type = Kokkos::View<T, Kokkos::HostSpace>;

  T* result;

  KOKKOS_INLINE_FUNCTION void init(T& value) const { value = Op::template neutral<T>; }
  KOKKOS_INLINE_FUNCTION void join(T& to, const T& other) const { to = Op::of(T(to), T(other)); }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(volatile T& to, const volatile T& other) const {
    join(const_cast<T&>(to), const_cast<const T&>(other));
  }
#endif
  KOKKOS_INLINE_FUNCTION T& reference() const { return *result; }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return result_view_type(result); }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return true; }
};

/// Of sums that keep what rounding loses, and of the totals of common/reduce.
struct Merged {
  template <class Total>
  static constexpr Total neutral = Total();
  static KERNEL_FN CompensatedSum of(CompensatedSum sum, const CompensatedSum& other) {
    sum.add(other);
    return sum;
  }
  template <class Total>
  static KERNEL_FN Total of(Total total, const Total& other) {
    total.take(other);
    return total;
  }
};

/// Binds the threads of a processor, cores first, so that none leaves the rows behind that it had in the last kernel.
/// Not where the user places them, or where there are more than processors.
inline void bind_threads() {
  const std::vector<int> processors = usable_processors_by_core();
  const auto threads = static_cast<std::size_t>(Space().concurrency());
  if (!has_threads() || std::getenv("OMP_PROC_BIND") || threads > processors.size()) return;
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, threads), [&](std::size_t thread) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processors[thread], &one);
    sched_setaffinity(0, sizeof one, &one);  // where it is refused the thread stays where the system puts it
  });
}

/// Once in a process; its views are gone when it ends.
inline void start(const Options& asked) {
  struct Started {
    explicit Started(std::optional<int> threads) {
#if KOKKOS_VERSION < 30700
      Kokkos::initialize(Kokkos::InitArguments(threads.value_or(-1), -1, -1, true));
#else
      auto settings = Kokkos::InitializationSettings().set_disable_warnings(true);
      if (threads) settings.set_num_threads(*threads);
      Kokkos::initialize(settings);
#endif
      bind_threads();
    }
    ~Started() { Kokkos::finalize(); }
  };
  static const Started started(asked.number("threads"));
}

inline std::string device_name() {
#if defined(KOKKOS_ENABLE_CUDA)
  return Space().cuda_device_prop().name;
#elif defined(KOKKOS_ENABLE_HIP)
  return Space().hip_device_prop().name;
#else
  return cpu_name();
#endif
}

/// A `Workload`, a solver's interface, in the default execution space.
template <class Workload>
class OnSpace : public Workload {
 public:
  explicit OnSpace(const Options& asked) { start(asked); }
  RunFacts facts() const override { return on_space({}); }

 protected:
  /// These facts with what is to be said of the space: its name, the library's version, threads and device.
  RunFacts on_space(RunFacts facts) const {
    facts.device = device_name();
    facts.device_type = is_host ? "cpu" : "gpu";
    facts.driver = fmt::format("Kokkos {}.{}.{}, {}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                               KOKKOS_VERSION % 100, Space::name());
    facts.threads = is_host ? static_cast<int>(Space().concurrency()) : 0;
    return facts;
  }
};

/// The main of a program here.
template <class V>
int run_on_space(int argc, char** argv, std::initializer_list<V> variants, const char* usual = nullptr) {
  auto program = cpu_program<V>("kokkos", "in Kokkos", variants, usual);
  if (has_threads()) program.options = {threads_option("what Kokkos says")};
  if (!is_host) program.devices = [] { return start({}), std::vector<Device>{{"gpu", device_name(), Space::name()}}; };
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::kokkos
