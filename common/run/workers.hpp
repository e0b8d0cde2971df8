// The workers of a model on processors, as a value: a variant's loops run on them, and the record names them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "common/cpu/memory.hpp"
#include "common/cpu/range.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

#ifdef __CUDACC__
#define ON_PROCESSORS(...)  // variants whose kernels nvcc cannot compile
#else
#define ON_PROCESSORS(...) __VA_ARGS__
#endif

namespace boltzmark {

/// The workers of a process. A model's start_workers(options) makes them, in the one file that all its programs share.
struct Workers {
  using Work = std::function<void(int me)>;

  int count = 1;
  /// Calls work(me) for `me` from 0 to count - 1 and returns when all have returned; each worker has the same numbers
  /// in every call, so that pages that it touches first stay near it.
  std::function<void(const Work& work)> run = [](const Work& work) { work(0); };
  /// This process and the processes that share the data with it.
  int rank = 0, ranks = 1;
  /// Before memory is allocated, as Implementation::shortage(). Collective.
  std::function<std::string(double bytes)> shortage = [](double bytes) {
    return memory_shortage(static_cast<std::uint64_t>(bytes));
  };
  /// Device, driver, threads, ranks and settings.
  RunFacts facts = {.device = cpu_name()};

  /// This process's elements, whole pages.
  Range part_of(std::int64_t elements, int value_bytes) const {
    return range_of_pages(elements, rank, ranks, value_bytes);
  }
  /// Worker `me`'s part of them, whole pages.
  Range pages_of(int me, std::int64_t elements, int value_bytes) const {
    return range_of_pages(elements, me, count, value_bytes);
  }
  /// work(its pages) on each worker.
  template <class OnPages>
  void run_on_pages(std::int64_t elements, int value_bytes, const OnPages& work) const {
    run([&](int me) { work(pages_of(me, elements, value_bytes)); });
  }
  /// Completes the facts of a variant; a driver that it names, such as a library's, is kept.
  RunFacts with(RunFacts of_variant) const;
};

/// Before every timed run all workers are called up, for a library whose threads go to sleep when a tenth of a
/// millisecond brings them no work. As many as the facts say wait for one another, but not for long: the library may
/// start fewer.
void wake_before_runs(const Workers& workers);

using StartWorkers = Workers(const Options& asked);

/// For models without other workers.
inline Workers one_worker(const Options&) { return {}; }

/// A variant's work as an object, constructed from the options if it takes them.
template <class Method>
Method method_of(const Options& asked) {
  if constexpr (std::is_constructible_v<Method, const Options&>)
    return Method(asked);
  else
    return Method();
}
/// The same with workers.
template <class Method>
Method method_on(const Workers& workers) {
  if constexpr (std::is_constructible_v<Method, const Workers&>)
    return Method(workers);
  else
    return Method();
}
/// Its settings() for the record, if it has any.
template <class Method>
Settings settings_of(const Method& method) {
  if constexpr (requires { method.settings(); })
    return method.settings();
  else
    return {};
}

/// A model's textbook of a workload (Role::textbook) and its variant of the common algorithm (Role::like_for_like),
/// which `make` makes from options.
inline Variant textbook_of(const char* summary, OfCase<std::unique_ptr<Runnable>> make) {
  return {.name = "textbook", .summary = summary, .role = Role::textbook, .make = std::move(make)};
}
inline Variant like_for_like_of(const char* name, const char* summary, OfCase<std::unique_ptr<Runnable>> make) {
  return {.name = name, .summary = summary, .role = Role::like_for_like, .make = std::move(make)};
}

/// An array of this process for loops that run in the same memory. A model whose loops may run elsewhere has a class
/// like this one, whose data() is a copy.
template <class T>
struct Here {
  T* host = nullptr;
  std::int64_t count = 0;
  T* data() const { return host; }
  void upload() const {}
  void download() const {}
};

}  // namespace boltzmark
