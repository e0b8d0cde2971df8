// One part of the machine's peaks: what identifies it, its figures, and which of its benchmarks a plan needs.
#pragma once

#include "analysis/peaks/figures.hpp"

namespace boltzmark {

/// Limits of a plan's runs, besides the processor.
struct PlanNeeds {
  std::string plan;
  bool opencl = false;   ///< launches on a processor's OpenCL device
  bool ranks = false;    ///< messages between these
  bool scaling = false;  ///< with numbers of them
};

/// Of these models' runs, or of all models of the plan. Throws Error (bad_input) if it cannot be read or run here.
PlanNeeds needs_of(const std::string& name, const std::vector<std::string>& models);

/// In place of the key of a part that has no figures.
inline constexpr const char* no_key = "-";

/// A measuring program, the part of the peaks that it measures, and its state in this call.
struct PeaksPart {
  const char *name, *program;
  const char* what;     ///< in words
  const char* missing;  ///< why the program may be missing
  enum class Of { processor, devices, network } of;
  bool is_wanted = true;
  Peaks machine = {};  ///< described, and figures once they are measured
  std::string key = no_key;
  bool is_to_do = false, is_measured = false;
  bool is_begun = false;                   ///< kept figures are of this machine and build, and can be continued
  std::vector<std::string> to_add = {};    ///< benchmarks to do; empty: all of them
  std::vector<std::string> left_out = {};  ///< benchmarks that the plan does not need
  std::vector<std::string> rough = {};     ///< benchmarks whose figures are rough

  /// Its figures, from one machine's peaks to another's.
  void move(Peaks& from, Peaks& to) const;
  /// Figures of all samples, into `machine`.
  void add_figures(const std::vector<Sample>& samples);
  /// Whether it can bound a run. Latencies and transfers bound no run. A processor's OpenCL device has the processor's
  /// roofs, except for its launches. Between ranks the exchanges of halos count, and, if a plan names numbers of ranks,
  /// all messages, because scaling is predicted from them.
  bool is_needed(const std::string& benchmark, const PlanNeeds& needs) const;
  /// "latencies, transfers" of these benchmarks.
  static std::string kinds_of(const std::vector<std::string>& benchmarks);
  /// Of `machine`, whose devices, if it is their part, are at least one.
  std::vector<std::string>& notes();
  /// Text that differs where the part of the machine that this program measures differs.
  std::string identity() const;
};

}  // namespace boltzmark
