// What the variants of this model have in common: whoever the library has do the work, and what the record says of it.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <execution>
#include <functional>
#include <utility>

#include "common/cpu/processors.hpp"
#include "common/run/on_host.hpp"
#include "stdpar/counting.hpp"
#if __has_include(<tbb/version.h>) && !defined(__NVCOMPILER)
#include <tbb/version.h>
#endif

namespace boltzmark::stdpar {

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

/// A `Host`, what a workload's variants have in this machine's memory (common/run/on_host.hpp), filled by an algorithm.
template <class Host>
class OnCores : public Host {
 protected:
  RunFacts on_machine(RunFacts facts) const override {
    facts.driver = library_name();
    facts.threads = usable_cores();
    return Host::on_machine(std::move(facts));
  }
  int workers() const override { return 4 * usable_cores(); }
  void on_workers(const std::function<void(std::int64_t me, std::int64_t workers)>& work) override {
    const std::int64_t parts = workers();
    std::for_each(std::execution::par, counting(0), counting(parts), [&](std::int64_t part) { work(part, parts); });
  }
};

}  // namespace boltzmark::stdpar
