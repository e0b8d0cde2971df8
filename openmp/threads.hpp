// What the variants of this model have in common: threads, advice on them before a run, and what the record says.
#pragma once

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <string>

#include "common/cpu/threads.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::openmp {

/// One line on what slows these threads down: more of them than processors, or none of them bound to one. "" if nothing
/// does. OMP_* is left as the user has it.
inline std::string thread_advice(const Options& options) {
  const int threads = std::min(options.number("threads").value_or(omp_get_max_threads()), omp_get_thread_limit());
  // Counted by the runtime before it bound the first thread; an affinity mask would show one processor.
  const int processors = omp_get_num_procs();
  if (threads > processors)
    return fmt::format(
        "{} threads on {} processor{} wait for one another; --threads {} or OMP_NUM_THREADS={} takes all "
        "there are",
        threads, processors, processors == 1 ? "" : "s", processors, processors);
  if (threads > 1 && omp_get_proc_bind() == omp_proc_bind_false)
    return fmt::format(
        "{} threads are not bound, and one that the system moves leaves its rows behind in a cache or "
        "memory; set OMP_PROC_BIND=close OMP_PLACES=cores",
        threads);
  return {};
}

inline std::string runtime_name() { return fmt::format("OpenMP {}", _OPENMP); }

/// A `Host`, what a workload's variants have in this machine's memory (common/run/on_host.hpp), with threads.
template <class Host>
class OnThreads : public Host {
 public:
  explicit OnThreads(const Options& asked) : threads_(check_threads(asked.number("threads"))) {}

 protected:
  RunFacts on_machine(RunFacts facts) const override {
    if (facts.driver.empty()) facts.driver = runtime_name();
    facts.threads = threads_;
    return Host::on_machine(std::move(facts));
  }
  void on_workers(const std::function<void(std::int64_t me, std::int64_t workers)>& work) override {
#pragma omp parallel num_threads(threads_)
    work(omp_get_thread_num(), threads_);
  }

  int threads_;
};

/// The main of a program here, as run_on_cpu().
template <class V>
int run_on_threads(int argc, char** argv, const char* summary, const BuildInfo& build, std::vector<V> variants,
                   const char* usual = nullptr, Tuned tuned = Tuned::no, std::vector<ModelOption> options = {}) {
  auto program = cpu_program("openmp", summary, build, std::move(variants), usual, tuned);
  program.options = std::move(options);
  program.options.insert(program.options.begin(), threads_option("what the runtime says"));
  program.warning = thread_advice;
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::openmp
