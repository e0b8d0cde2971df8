// Shared by the variants of this model: threads, advice on them before a run, and facts for the record.
#pragma once

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "common/cpu/openmp.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::openmp {

/// State of the threads after start_threads().
enum class Binding { untouched, bound, refused };
inline Binding& binding() {
  static Binding now = Binding::untouched;
  return now;
}

/// Whether the user controls the placement of the runtime's threads.
inline bool user_places_threads() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return is_set("OMP_PROC_BIND") || is_set("OMP_PLACES") || is_set("GOMP_CPU_AFFINITY") || is_set("KMP_AFFINITY");
}

/// Like check_threads(), and binds each thread to a separate processor, cores first, because a thread that the system
/// moves leaves its rows behind in a cache or memory. Not if the user places threads, or if there are more threads than
/// processors. Call it before memory is first touched.
inline int start_threads(std::optional<int> asked) {
  const int threads = check_threads(asked);
  binding() = Binding::untouched;
  const std::vector<int> processors = usable_processors_by_core();
  if (user_places_threads() || threads < 2 || threads > static_cast<int>(processors.size())) return threads;
  bool are_bound = true;
#pragma omp parallel num_threads(threads) reduction(&& : are_bound)
  are_bound = bind_thread(processors[static_cast<std::size_t>(number_in_team_of(threads))]);
  binding() = are_bound ? Binding::bound : Binding::refused;
  return threads;
}

/// One line if these threads are slowed down: there are more of them than processors, or none is bound although the
/// user has placed them. Else "".
inline std::string thread_advice(const Options& options) {
  const int threads = std::min(options.number("threads").value_or(usual_threads()), omp_get_thread_limit());
  // Threads bound here have one processor each. Otherwise the runtime counted processors before it bound the first
  // thread; an affinity mask would now show one.
  const int processors = left_in_groups(binding() == Binding::bound ? threads : omp_get_num_procs());
  if (threads > processors)
    return fmt::format(
        "{} threads on {} processor{} wait for one another; --threads {} or OMP_NUM_THREADS={} takes all there are",
        threads, processors, processors == 1 ? "" : "s", processors, processors);
  if (threads > 1 && omp_get_proc_bind() == omp_proc_bind_false &&
      (user_places_threads() || binding() == Binding::refused))
    return fmt::format(
        "{} threads are not bound, and one that the system moves leaves its rows behind in a cache or "
        "memory; set OMP_PROC_BIND=close OMP_PLACES=cores",
        threads);
  return {};
}

inline std::string runtime_name() { return fmt::format("OpenMP {}", _OPENMP); }

/// Workers for this many started threads; run() is a parallel region.
inline Workers workers_of(int threads) {
  Workers workers;
  workers.count = workers.facts.threads = threads;
  workers.facts.driver = runtime_name();
  workers.run = [threads](const Workers::Work& work) {
#pragma omp parallel num_threads(threads)
    work(number_in_team_of(threads));
  };
  return workers;
}
inline Workers start_workers(const Options& asked) { return workers_of(start_threads(asked.number("threads"))); }
/// Threads that are not bound.
inline Workers start_unbound_workers(const Options& asked) {
  return workers_of(check_threads(asked.number("threads")));
}

/// A program of this model, as cpu_program().
inline Program threads_program(const WorkloadEntry& workload, Variants variants, const char* usual = nullptr,
                               std::vector<ModelOption> options = {}) {
  options.insert(options.begin(), threads_option("what the runtime says"));
  Program program =
      cpu_program(workload, "openmp", "on the threads of one machine", std::move(variants), usual, std::move(options));
  program.warning = thread_advice;
  return program;
}

/// Its main.
inline int run_on_threads(int argc, char** argv, const WorkloadEntry& workload, Variants variants, const char* usual) {
  return run_program(argc, argv, threads_program(workload, std::move(variants), usual));
}

}  // namespace boltzmark::openmp
