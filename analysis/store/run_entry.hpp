// One line of runs.jsonl: what was run, how it ended, and the record that the model wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/run/record.hpp"

namespace boltzmark {

/// Version of the lines in runs.jsonl.
inline constexpr int run_entry_format = 2;

/// How a run ended, from best to worst.
enum class RunStatus {
  ok,          ///< finished, and right
  skipped,     ///< the model was not built
  impossible,  ///< this machine cannot run it
  timeout,     ///< killed at the time limit
  failed,      ///< ended otherwise without a result
  wrong,       ///< finished, but the result is wrong
};
std::string to_string(RunStatus status);
/// Throws std::invalid_argument for a word that is no status.
RunStatus run_status(const std::string& word);

/// What makes two runs the same run. Numbers are 0 and strings empty where nothing is set.
struct RunKey {
  std::string workload, model, variant, precision;
  int threads = 0, ranks = 0;
  std::string device, work_group;
  bool warm_up = false;
  std::vector<std::string> options;
  std::string launcher;  ///< command and arguments, for models that are launched
  std::string case_;     ///< "case" in JSON: digest of an LBM problem, the words of another workload's case
  int steps = 0;
  int round = 1;
  std::string program;  ///< digest of the executable
  std::string oracle;   ///< version of the oracle it is checked against
  std::string host;
  std::string build;  ///< the plan's name for the build folder of the program; "" = the driver's own

  /// Ranks times threads, each at least 1.
  int workers() const;

  nlohmann::json to_json() const;
  /// Throws nlohmann::json::exception when something is missing or of the wrong type.
  static RunKey from_json(const nlohmann::json& json);
  /// One text for each key; equal for equal keys.
  std::string identity() const;
  /// The same without the round: what repeats of one run have in common.
  std::string configuration() const;
};

struct RunEntry {
  RunKey key;
  std::string case_name;  ///< "case" in JSON: what the user calls it, "128x128"
  RunStatus status = RunStatus::ok;
  std::string reason;  ///< why not ok, one line
  int exit_status = 0;
  double wall_seconds = 0.0;
  std::string command;
  bool stopped = false;  ///< by a tuner: so much slower than the best that its other rounds were left out
  std::optional<Record> record;  ///< null in JSON where the program wrote none

  nlohmann::json to_json() const;
  /// Throws std::exception that says what is wrong.
  static RunEntry from_json(const nlohmann::json& json);
};

}  // namespace boltzmark
