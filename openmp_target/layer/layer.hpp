// A workload of the layer in target regions, as its main passes it (main.cpp.in).
#pragma once

#include <initializer_list>
#include <memory>

namespace boltzmark {

struct Options;
struct Variant;

namespace target {
class Run;
struct LayerEntry;
struct Rung;
}  // namespace target

namespace openmp_target {

/// Runs it in one precision (run.cpp.in).
struct OffloadRuns {
  std::unique_ptr<target::Run> (*make)(const target::Rung& rung, const Options& asked);
};

/// The main of its program. own: variants outside the layer.
int run_layer(int argc, char** argv, const target::LayerEntry& workload, const OffloadRuns& f32, const OffloadRuns& f64,
              std::initializer_list<const Variant*> own = {});

}  // namespace openmp_target
}  // namespace boltzmark
