#include "common/run/workers.hpp"

#include <atomic>
#include <utility>

#include "common/base/clock.hpp"
#include "common/run/calls.hpp"

namespace boltzmark {

void wake_before_runs(const Workers& workers) {
  wake_device = [run = workers.run, threads = workers.facts.threads] {
    constexpr double longest_seconds = 1e-3;
    std::atomic<int> awake = 0;
    const auto start = Clock::now();
    run([&](int) {
      ++awake;
      while (awake < threads && seconds_since(start) < longest_seconds) continue;
    });
  };
}

RunFacts Workers::with(RunFacts of_variant) const {
  of_variant.device = facts.device;
  of_variant.device_type = facts.device_type;
  if (of_variant.driver.empty()) of_variant.driver = facts.driver;
  of_variant.threads = facts.threads;
  of_variant.settings.insert(facts.settings.begin(), facts.settings.end());
  of_variant.ranks = facts.ranks;
  of_variant.write_allocate = of_variant.write_allocate && facts.write_allocate;
  return of_variant;
}

}  // namespace boltzmark
