// What a program says of itself: one model, at one workload. The interfaces sit at whole-run level, so they
// cost nothing in a time loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/run/options.hpp"
#include "common/run/settings.hpp"

namespace boltzmark {

/// What a variant is in the story that a model tells.
enum class Role {
  other,
  textbook,       ///< the workload as it is written down, or as a student of the model writes it
  like_for_like,  ///< the form in which models are compared with one another
  peer,           ///< a library's, to be beaten; never the default
};

/// A way of doing the same work that can be chosen with --variant.
struct Variant {
  std::string name;
  std::string summary;  ///< one line
  std::vector<Precision> precisions = {Precision::f32, Precision::f64};
  std::vector<std::string> options = {};  ///< names of the model's options that mean something here
  Role role = Role::other;
  /// What kinds of its workload's cases it can run, where there are several: lattices of lbm, of which D2Q9 goes
  /// without saying.
  std::vector<std::string> kinds = {};
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

/// Filled in from the definitions that CMake gives each program's main.cpp.
#define BOLTZMARK_BUILD_INFO (::boltzmark::BuildInfo{BOLTZMARK_COMPILER, BOLTZMARK_FLAGS})

/// What the runner needs to know of a program, whatever it computes. Each main.cpp fills in its workload's
/// Program, which adds how variants are made.
struct Program {
  std::string model;    ///< name of its folder, e.g. "openmp_target"
  std::string summary;  ///< one line for --help
  BuildInfo build = {};
  std::vector<Variant> variants = {};     ///< in the order of --list-variants
  std::vector<ModelOption> options = {};  ///< in the order of --help
  std::function<std::vector<Device>()> devices = {};
  /// The device that these options choose, for a tuner and for tuned options: at least "name". Without it
  /// there are no tuned options.
  std::function<Settings(const Options&)> device_limits = {};
  /// Kernels are compiled when it runs and kept, so that the first run of each takes seconds longer to begin.
  bool compiles_kernels = false;
  /// What to warn the user of before a run, one line, "" for nothing. Ranks call it together.
  std::function<std::string(const Options&)> warning = {};
};

/// What a finished run says of itself, for the record.
struct RunFacts {
  std::string variant = "";         ///< that ran, where the default one had to give way to another
  std::string device = "";          ///< where it really ran, as its runtime reports it
  std::string device_type = "cpu";  ///< "cpu", "gpu" or "accelerator"
  std::string pci_address = "";     ///< of a GPU that has one, "0000:17:00.0"
  std::string driver = "";          ///< version of the runtime or driver behind it, "" where there is none
  int threads = 1;                  ///< threads per rank (0 where the device decides)
  int ranks = 1;                    ///< processes
  int grids = 2;                    ///< copies of the case's data that it keeps
  double bytes_per_update = 0.0;    ///< moved to and from memory, by the algorithm's own count
  double flops_per_update = 0.0;    ///< counted by running the code on a counting type
  std::int64_t steps_per_launch =
      1;                       ///< time steps between two visits to the host, or in one sweep of a device
  bool write_allocate = true;  ///< a line is read before a plain store changes it, as in a processor's caches
  std::optional<double> tolerance = {};  ///< of its results, where it is not that of the precision
  Settings settings = {};                ///< of the model, worth keeping, e.g. work_group
};

}  // namespace boltzmark
