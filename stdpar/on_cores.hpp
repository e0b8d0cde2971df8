// Shared by the variants of this model: the index over which algorithms run, the threads of the library, and their
// facts for the record.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <execution>
#include <functional>
#include <iterator>
#include <utility>

#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"
#if __has_include(<tbb/version.h>) && !defined(__NVCOMPILER)
#include <tbb/global_control.h>
#include <tbb/version.h>
#endif

namespace boltzmark::stdpar {

/// An index as an iterator: counting(0) to counting(n) are the numbers 0 .. n-1. Those of std::views::iota would do
/// under later standards, but GCC's library treats them as iterators that advance one step at a time, and then runs an
/// algorithm on one thread under any policy.
class counting {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::int64_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;

  counting() = default;
  explicit counting(value_type at) : at_(at) {}

  value_type operator*() const { return at_; }
  value_type operator[](difference_type n) const { return at_ + n; }
  counting& operator++() { return *this += 1; }
  counting& operator--() { return *this -= 1; }
  counting operator++(int) { return counting(at_++); }
  counting operator--(int) { return counting(at_--); }
  counting& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  counting& operator-=(difference_type n) { return *this += -n; }
  friend counting operator+(counting a, difference_type n) { return a += n; }
  friend counting operator+(difference_type n, counting a) { return a += n; }
  friend counting operator-(counting a, difference_type n) { return a -= n; }
  friend difference_type operator-(counting a, counting b) { return a.at_ - b.at_; }
  auto operator<=>(const counting&) const = default;

 private:
  value_type at_ = 0;
};

/// The library behind the policies, e.g. "std::execution on oneTBB 2021.8".
inline std::string library_name() {
#if defined(__NVCOMPILER)
  return fmt::format("std::execution of nvc++ {}.{}", __NVCOMPILER_MAJOR__, __NVCOMPILER_MINOR__);
#elif defined(TBB_VERSION_MAJOR)
  return fmt::format("std::execution on oneTBB {}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
#else
  return "std::execution";
#endif
}

/// Number of parts for the threads of the library.
inline Workers workers_of(int parts) {
  Workers workers;
  workers.count = parts;
  workers.facts.threads = usable_cores();
  workers.facts.driver = library_name();
  workers.run = [parts](const Workers::Work& work) {
    std::for_each(std::execution::par, counting(0), counting(parts),
                  [&work](std::int64_t part) { work(static_cast<int>(part)); });
  };
  wake_before_runs(workers);
  return workers;
}
/// Several per thread, because an algorithm does not assign parts to threads.
inline Workers start_workers(const Options&) { return workers_of(4 * usable_cores()); }

/// One for each: of variants whose parts give one another work.
inline Workers start_team(const Options&) { return workers_of(usable_cores()); }

/// A program of this model, as cpu_program().
inline Program on_cores(const WorkloadEntry& workload, Variants variants, const char* usual = nullptr) {
#if defined(TBB_VERSION_MAJOR)
  // The library counts processors, and ignores the limits of a control group.
  static const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, std::size_t(usable_cores()));
#endif
  return cpu_program(workload, "stdpar", "in the parallel algorithms of standard C++", std::move(variants), usual);
}

/// Its main.
inline int run_on_cores(int argc, char** argv, const WorkloadEntry& workload, Variants variants,
                        const char* usual = nullptr) {
  return run_program(argc, argv, on_cores(workload, std::move(variants), usual));
}

}  // namespace boltzmark::stdpar
