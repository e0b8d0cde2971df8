// What a programming model must offer. The interface sits at whole-run level, so it costs nothing in the time
// loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/options.hpp"
#include "common/problem.hpp"
#include "common/stream/stream.hpp"

namespace boltzmark {

/// Macroscopic state of the whole grid, one value a cell at index x + y*nx, lattice units.
/// A model fills fluid cells; what it leaves in obstacle cells is overwritten (at rest, initial density).
struct State {
  std::vector<double> ux, uy, density;
  static constexpr double bytes_a_cell = 3 * sizeof(double);

  void resize(std::int64_t cells) {
    for (auto* field : {&ux, &uy, &density}) field->assign(static_cast<std::size_t>(cells), 0.0);
  }
};

/// What a finished run says about itself, for the record.
struct RunFacts {
  std::string device = "";          ///< where it really ran, as its runtime reports it
  std::string device_type = "cpu";  ///< "cpu", "gpu" or "accelerator", as --list-devices says
  std::string driver = "";          ///< version of the runtime or driver behind it, "" where there is none
  int threads = 1;                  ///< threads a rank (0 where the device decides)
  int ranks = 1;                    ///< processes
  int grids = 2;                    ///< grids of populations that it keeps
  double bytes_per_update =
      0.0;  ///< bytes a cell update moves to and from memory by the algorithm's own count
  double flops_per_update = 0.0;         ///< counted through the code itself (see counting.hpp)
  std::optional<double> tolerance = {};  ///< of its results, where it is not that of the precision
  nlohmann::json extra =
      nlohmann::json::object();  ///< model-specific settings worth keeping, e.g. work_group
};

/// One programming model, variant and precision, ready to run one problem. Used as init, run, confirm,
/// collect, each once.
class Model {
 public:
  virtual ~Model() = default;
  /// Allocates, sets the start state (first touch by whoever will use it), uploads, builds kernels. The
  /// problem outlives the model.
  virtual void init(const Problem& problem) = 0;
  /// The timed part: `steps` time steps. av_vels has `steps` entries; on the root rank entry t becomes the
  /// mean of |u| over the fluid cells after step t. Returns when the work is finished, not when it is
  /// enqueued.
  virtual void run(int steps, std::span<double> av_vels) = 0;
  /// After the time steps and not timed, in every run: throws Error (unavailable) where they were not done as
  /// they should be and only the model can tell, such as on another device.
  virtual void confirm() {}
  /// Gathers to the host: fills `state` on the root rank (already sized there); other ranks only send. Not
  /// called where nobody wants the state.
  virtual void collect(State& state) = 0;
  virtual RunFacts facts() const = 0;
};

/// A way of doing the same work that can be chosen with --variant.
struct Variant {
  std::string name;
  std::string summary;  ///< one line
  std::vector<Precision> precisions = {Precision::f32};
  bool takes_vvl = false;                 ///< whether --vvl means something
  bool takes_time_block = false;          ///< whether --time-block means something
  std::vector<int> time_blocks = {};      ///< its values that are worth trying
  bool takes_work_group = true;           ///< whether --work-group means something, where the model has it
  std::vector<std::string> options = {};  ///< names of the model's own options that mean something here
};

/// A device that --device can choose; its number is its position in the list.
struct Device {
  std::string type;  ///< "cpu", "gpu", "accelerator"
  std::string name;
  std::string details;  ///< units, memory, driver: one line
};

/// How this program was built, for the record.
struct BuildInfo {
  std::string compiler;  ///< name and version
  std::string flags;
};

/// Filled in from the definitions that CMake gives each model's main.cpp.
#define BOLTZMARK_BUILD_INFO (::boltzmark::BuildInfo{BOLTZMARK_COMPILER, BOLTZMARK_FLAGS})

/// Everything the common main needs to know of a model; each model's main.cpp makes one.
struct Backend {
  std::string name;     ///< of its folder, e.g. "openmp_target"
  std::string summary;  ///< one line for --help
  BuildInfo build;
  std::vector<Variant> variants;                          ///< in the order of --list-variants
  bool takes_threads = false;                             ///< whether --threads means something
  std::string default_threads = "what the runtime says";  ///< how many without it, for --help
  bool takes_device = false;                              ///< whether --device means something
  bool takes_work_group = false;                          ///< whether --work-group means something
  /// Options that only this model has, in the order of --help.
  std::vector<ModelOption> options = {};
  /// The variant that runs when none is named: the fastest that is right for this problem and device.
  std::function<std::string(const Problem&, const Options&)> default_variant;
  std::function<std::vector<Device>()> devices;
  /// The device that these options choose, for --list-tunables and tuned options: at least "name". Without it
  /// there are no tuned options.
  std::function<nlohmann::json(const Options&)> device_limits = nullptr;
  /// What to warn the user of before a run, one line, "" for nothing. Ranks call it together.
  std::function<std::string(const Options&)> warning = nullptr;
  /// Makes the model for checked options (variant and precision known to exist). Throws Error (unavailable)
  /// where this machine cannot run it, Error (bad_input) for an option value that makes no sense.
  std::function<std::unique_ptr<Model>(const Options&)> make;
  /// Makes the STREAM kernels of this model for --stream; throws as above. Without it there is no --stream.
  std::function<std::unique_ptr<Stream>(const Options&)> make_stream;

  /// Of the executable, e.g. "lbm-openmp-target".
  std::string program() const {
    std::string text = "lbm-" + name;
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
  }
};

/// The processes that run one model together. A single process is a team of one.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  virtual void barrier() {}
  /// Collective: the lowest rank that passed true, or -1 when none did.
  virtual int first_that(bool mine) { return mine ? 0 : -1; }
  /// Collective: the largest of all ranks' numbers, on every rank.
  virtual double largest(double mine) { return mine; }
  /// Ends every process at once; used when one rank alone fails and the others cannot know.
  [[noreturn]] virtual void abort(int status);
  bool is_root() const { return rank() == 0; }
};

/// The main of every model: parse, load, init, run, collect, check, write, report. Returns the exit status.
int run_main(int argc, char** argv, const Backend& backend, Team& team);
/// The same for models of one process.
int run_main(int argc, char** argv, const Backend& backend);

}  // namespace boltzmark
