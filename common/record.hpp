// The run record: one JSON object a finished run. RECORD.md describes its fields.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "common/model.hpp"
#include "common/provenance.hpp"

namespace boltzmark {

/// Version of RECORD.md.
inline constexpr int record_format = 1;

/// Wall-clock seconds of one repeat.
struct Timing {
  double init = 0.0, compute = 0.0, collate = 0.0;
  double total() const { return init + compute + collate; }
};

/// Medians over the repeats, each phase by itself.
Timing median(const std::vector<Timing>& repeats);
/// Median of a non-empty set; the mean of the middle two when their number is even.
double median(std::vector<double> values);

/// How a result was checked, and what came of it: the worst of all repeats.
struct CheckResult {
  std::string against = "none";
  std::optional<Deviation> deviation;  ///< set when it was checked
  double tolerance = 0.0;
  bool passed() const { return !deviation || deviation->within(tolerance); }
};

/// Everything a record is made of.
struct RunResult {
  const Problem& problem;
  const Backend& backend;
  const Options& options;  ///< with the variant that really ran
  int steps = 0;
  int warm_up_runs = 0;
  RunFacts facts;
  std::vector<Timing> repeats;
  double av_vel = 0.0;  ///< after the last step
  CheckResult check;
  Provenance provenance;
  std::string command;
};

nlohmann::json make_record(const RunResult& run);

/// The member `provenance` of every kind of record.
nlohmann::json provenance_of(const Provenance& provenance, const BuildInfo& build,
                             const std::string& command);

/// What JSON can hold of a number: null when it is not finite.
nlohmann::json number_or_null(double value);

/// Million cell updates a second, obstacles included.
double mlups(const Problem& problem, int steps, double compute_seconds);

}  // namespace boltzmark
