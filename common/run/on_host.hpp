// What variants on this machine's processors have in common, whatever they compute: memory, workers, and the record.
#pragma once

#include <cstdint>
#include <functional>

#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

#ifdef __CUDACC__
#define ON_PROCESSORS(...)  // variants whose kernels nvcc does not take
#else
#define ON_PROCESSORS(...) __VA_ARGS__
#endif

namespace boltzmark {

/// A `Workload`, a solver's interface, in this machine's memory. One worker does it, unless a model derives from this
/// to say who its workers are.
template <class Workload>
class OnHost : public Workload {
 public:
  RunFacts facts() const { return on_machine({}); }

 protected:
  /// These facts with what the model has to say of processor, library and workers.
  virtual RunFacts on_machine(RunFacts facts) const {
    facts.device = cpu_name();
    return facts;
  }
  virtual int workers() const { return 1; }
  /// Every worker calls work(me, workers), to fill its part of memory: that is near the one who touches it first.
  virtual void on_workers(const std::function<void(std::int64_t me, std::int64_t workers)>& work) { work(0, 1); }
};

}  // namespace boltzmark
