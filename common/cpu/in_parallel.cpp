#include "common/cpu/in_parallel.hpp"

#include <atomic>
#include <system_error>
#include <thread>

#include "common/cpu/processors.hpp"

namespace boltzmark {

void unbind_thread() {
  const cpu_set_t all = usable_processors();
  sched_setaffinity(0, sizeof all, &all);
}

void each_in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  const std::int64_t threads = std::min<std::int64_t>(usable_cores(), count),
                     at_once = std::max<std::int64_t>(1, count / (16 * std::max<std::int64_t>(1, threads)));
  std::atomic<std::int64_t> next = 0;
  const auto help = [&] {
    for (std::int64_t first; (first = next.fetch_add(at_once)) < count;)
      for (std::int64_t i = first; i < std::min(first + at_once, count); ++i) work(i);
  };
  const auto help_anywhere = [&] {
    unbind_thread();
    help();
  };
  std::vector<std::jthread> helpers;
  try {
    while (std::ssize(helpers) + 1 < threads) helpers.emplace_back(help_anywhere);
  } catch (const std::system_error&) {  // no room for more threads: the existing ones do the work
  }
  help();
}

}  // namespace boltzmark
