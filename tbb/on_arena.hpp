// Shared by the variants of this model: an arena of threads, each bound to a processor, and their facts for the record.
#pragma once

#include <fmt/core.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"

/// Not `tbb`, the library's namespace.
namespace boltzmark::onetbb {

/// Binds threads to the processors of their slots in an arena, cores first: a static_partitioner gives a slot the same
/// part of every loop, and a thread that the system moves would leave it behind. Not used with more slots than
/// processors.
class Binding : public tbb::task_scheduler_observer {
 public:
  explicit Binding(tbb::task_arena& arena) : task_scheduler_observer(arena), processors_(usable_processors_by_core()) {
    const auto slots = static_cast<std::size_t>(arena.max_concurrency());
    if (slots > 1 && slots <= processors_.size()) observe(true);
  }
  ~Binding() override { observe(false); }

  void on_scheduler_entry(bool) override {
    static thread_local int bound = -1;
    const int processor = processors_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
    if (std::exchange(bound, processor) != processor) bind_thread(processor);
  }

 private:
  std::vector<int> processors_;
};

struct Threads {
  explicit Threads(int number)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(number)),
        arena(number),
        binding(arena) {}
  tbb::global_control control;  ///< also more threads than processors
  tbb::task_arena arena;
  Binding binding;
};
inline std::optional<Threads>& started() {
  static std::optional<Threads> threads;
  return threads;
}
/// The arena of the run.
inline tbb::task_arena& arena() { return started()->arena; }

/// The same, started with `asked` threads, or one for each processor, including the calling one.
inline tbb::task_arena& arena_of(const Options& asked) {
  std::optional<Threads>& threads = started();
  const int number = asked.number("threads").value_or(std::min(tbb::info::default_concurrency(), usable_cores()));
  if (!threads || threads->arena.max_concurrency() != number) threads.emplace(number);
  return threads->arena;
}

inline std::string library_name() { return fmt::format("oneTBB {}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR); }

/// The slots of the arena, each of which has the same number in every parallel_for of a static_partitioner.
inline Workers start_workers(const Options& asked) {
  tbb::task_arena& arena = arena_of(asked);
  Workers workers;
  workers.count = workers.facts.threads = arena.max_concurrency();
  workers.facts.driver = library_name();
  workers.run = [&arena, slots = workers.count](const Workers::Work& work) {
    arena.execute([&] { tbb::parallel_for(0, slots, work, tbb::static_partitioner()); });
  };
  wake_before_runs(workers);
  return workers;
}

/// A program of this model, as cpu_program().
inline Program in_arena(const WorkloadEntry& workload, Variants variants, const char* usual = nullptr) {
  return cpu_program(workload, "tbb", "in oneTBB", std::move(variants), usual,
                     {threads_option("one for each processor")});
}

/// Its main.
inline int run_in_arena(int argc, char** argv, const WorkloadEntry& workload, Variants variants,
                        const char* usual = nullptr) {
  return run_program(argc, argv, in_arena(workload, std::move(variants), usual));
}

}  // namespace boltzmark::onetbb
