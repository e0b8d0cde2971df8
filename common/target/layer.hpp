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

/// Values in C order, by their name in files. Results whose name begins with a dot are only for the check.
struct NamedArray {
  std::string name;
  std::vector<double> values;
};
using Arrays = std::vector<NamedArray>;

/// Throws Error (unexpected) if there is none of this name.
const std::vector<double>& array_of(const Arrays& arrays, std::string_view name);

/// The problem.
struct Problem {
  std::vector<std::int64_t> size;  ///< as in SIZE
  std::int64_t steps = 1;
  std::string method = "";  ///< of a workload that has several: of computing pi, of an open boundary
  std::uint32_t seed = 42;
  std::string generator = "philox";
  Arrays start = {};                 ///< on every rank
  std::vector<double> numbers = {};  ///< of the workload's own
};

/// A variant in the layer: its parameters for the code that is written once.
struct Rung {
  std::string name, summary;
  int form = 0;  ///< an enumeration of the workload's
  Role role = Role::other;
  std::vector<std::string> methods = {};  ///< that it can compute; none: all
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  std::string defines = "";       ///< of its kernels on devices, "-D TILED"
  int row_items = 1;              ///< on devices, work-items for each row of TARGET_ROWS: a power of two
  bool is_usual_on_gpus = false;  ///< otherwise the first variant that can compute the method
  bool has_vvl = true;            ///< otherwise a site at a time
};

/// Work of an update, by the algorithm's own count.
struct Work {
  double bytes = 0.0, flops = 0.0;
  Operations operations = {};  ///< operations with separate roofs; divisions and roots are also FLOPs
  double fetched = 0.0;        ///< bytes of lines that plain stores fetch, where write_allocate
  Traffic traffic = {};        ///< without fetched lines; empty: all data once, `bytes` of them
  Passes passes = {};          ///< if a step has several, in place of both
};
/// Lines fetched by stores belong to the largest set.
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
  /// Makes the fields and copies the start to the target. The problem must stay valid until the last run. Collective.
  virtual void init(const Problem& problem) = 0;
  /// The timed part: all steps. Collective.
  virtual void run() = 0;
  /// On the root. Collective.
  virtual Arrays results() = 0;
  /// Number of launches that did not run, if the target counts them.
  virtual std::uint32_t lost_launches() { return 0; }
};
using boltzmark::Variant;

/// A workload of the layer, as its programs see it.
struct LayerEntry : WorkloadEntry {
  std::vector<Rung> rungs;  ///< in the order of --list-variants
  Work (*work_of)(const Problem& problem, int form, int value_bytes);

  /// The default variant: on GPUs the default rung for them, else the first.
  std::string usual_variant(bool is_gpu) const;
};

/// Its variants, each made by `make`, with further `options`; and those of the model outside the layer.
using MakeRun = std::function<std::unique_ptr<Run>(const Rung& rung, const Options& asked)>;
Variants variants(const LayerEntry& workload, const MakeRun& make, const std::vector<ModelOption>& options = {},
                  std::initializer_list<const Variant*> own = {});

/// Runs a workload on threads of this processor.
struct HostRuns {
  std::unique_ptr<Run> (*make)(const Rung& rung, const Options& asked, const Workers& workers, const Share& share);
};

}  // namespace boltzmark::target
