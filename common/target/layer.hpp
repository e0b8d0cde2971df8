// A workload that is written once in this layer, as its programs see it. Its folder common/<workload>/ has
//   <workload>.h    the kernels, in the words of target.h
//   <workload>.hpp  template <class Target> class Code: its fields, and which kernel runs when (on_target.hpp)
//   case.cpp        the object `workload`, a LayerEntry, and the class of the workload (layer_workload.hpp)
// CMake makes of them WORKLOAD::on_host (cpu/host_run.cpp.in) and a main for each model that has no other
// MODEL/WORKLOAD/main.cpp: it calls MODEL::run_layer() of MODEL/layer/layer.cpp, or chooses the device API.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/passes.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"
#include "common/run/workers.hpp"
#include "common/target/kernel.hpp"
#include "common/target/run_layer.hpp"
#include "common/target/share.hpp"

namespace boltzmark::target {

/// Values in C order, by the name that files know them by. Of results, those with a dot before it are for the check
/// alone.
struct NamedArray {
  std::string name;
  std::vector<double> values;
};
using Arrays = std::vector<NamedArray>;

/// Throws Error (unexpected) if there is none of this name.
const std::vector<double>& array_of(const Arrays& arrays, std::string_view name);

/// What is computed.
struct Problem {
  std::vector<std::int64_t> size;  ///< as SIZE has it
  std::int64_t steps = 1;
  std::string method = "";  ///< of a workload that has several: of computing pi, of an open boundary
  std::uint32_t seed = 42;
  std::string generator = "philox";
  Arrays start = {};                 ///< on every rank
  std::vector<double> numbers = {};  ///< of the workload's own
};

/// A variant in the layer: what the code that is written once is told of it.
struct Rung {
  std::string name, summary;
  int form = 0;  ///< an enumeration of the workload's
  Role role = Role::other;
  std::vector<std::string> methods = {};  ///< that it can compute; none: all
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  std::string defines = "";       ///< of its kernels on devices, "-D TILED"
  int row_items = 1;              ///< on devices, of each row of TARGET_ROWS: a power of two
  bool is_usual_on_gpus = false;  ///< else the first that can compute the method
  bool has_vvl = true;            ///< else a site at a time
};

/// Of an update, by the algorithm's own count.
struct Work {
  double bytes = 0.0, flops = 0.0;
  Operations operations = {};  ///< that have roofs of their own; a division or a root is a FLOP too
  double fetched = 0.0;        ///< bytes of lines that plain stores fetch, where write_allocate
  Traffic traffic = {};        ///< without what they fetch; empty: all data once, `bytes` of them
  Passes passes = {};          ///< where a step has several, in place of both
};
/// Of the largest set is what stores fetch.
inline void add_work(RunFacts& facts, const Work& work) {
  facts.bytes_per_update = work.bytes;
  facts.flops_per_update = work.flops;
  facts.operations_per_update = work.operations;
  facts.fetched_per_update = work.fetched;
  facts.traffic = work.traffic;
  if (!facts.traffic.empty() && facts.write_allocate) facts.traffic.front().per_update += work.fetched;
  if (!work.passes.loops.empty()) facts.traffic = traffic_of(work.passes, facts.write_allocate);
}

/// One model, variant and precision.
class Run : public Implementation {
 public:
  /// Makes the fields and brings the start to the target. The problem stays where it is until the last run. Collective.
  virtual void init(const Problem& problem) = 0;
  /// The timed part: all steps. Collective.
  virtual void run() = 0;
  /// On the root. Collective.
  virtual Arrays results() = 0;
  /// Launches that did not run, where the target counts them.
  virtual std::uint32_t lost_launches() { return 0; }
};
using boltzmark::Variant;

/// A workload of the layer: what its programs are told of it.
struct LayerEntry : WorkloadEntry {
  std::vector<Rung> rungs;  ///< in the order of --list-variants
  Work (*work_of)(const Problem& problem, int form, int value_bytes);

  /// The variant without --variant: on GPUs the rung that is usual there, else the first.
  std::string usual_variant(bool is_gpu) const;
};

/// Its variants, each made by `make`, with `options` more; and those of the model outside the layer.
using MakeRun = std::function<std::unique_ptr<Run>(const Rung& rung, const Options& asked)>;
Variants variants(const LayerEntry& workload, const MakeRun& make, const std::vector<ModelOption>& options = {},
                  std::initializer_list<const Variant*> own = {});

/// How a workload runs on threads of this processor.
struct HostRuns {
  std::unique_ptr<Run> (*make)(const Rung& rung, const Options& asked, const Workers& workers, const Share& share);
};

}  // namespace boltzmark::target
