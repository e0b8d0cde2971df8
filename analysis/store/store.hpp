// The results folder: one driver at a time, nothing in it is ever deleted. Finished runs are appended to runs.jsonl as
// they end; read_results() returns everything in a folder.
#pragma once

#include "analysis/store/peaks.hpp"
#include "common/base/files.hpp"
#include "common/run/record.hpp"

namespace boltzmark {

/// While one exists, no other driver can work in the folder.
class FolderLock {
 public:
  /// Creates the folder if it is missing. Throws Error (bad_input) if it is in use or cannot be written.
  explicit FolderLock(const fs::path& folder);

 private:
  FileLock lock_;
};

/// Moves those of these files and folders that exist in the results folder into its new folder old-DATE, which is
/// returned; "" if there are none.
fs::path move_aside(const fs::path& results, const std::vector<std::string>& names);

inline constexpr int run_entry_format = 2;  ///< of the lines in runs.jsonl

/// How a run ended, from best to worst.
enum class RunStatus {
  ok,          ///< finished, and right
  skipped,     ///< the model was not built
  impossible,  ///< this machine cannot run it
  timeout,     ///< killed at the time limit
  failed,      ///< ended without a result in another way
  wrong,       ///< finished, but the result is wrong
};
std::string to_string(RunStatus status);
/// Two runs with equal keys are the same run. Unset numbers are 0 and unset strings empty.
struct RunKey {
  std::string workload, model, variant, precision;
  int threads = 0, ranks = 0;
  std::string device, work_group;
  bool warm_up = false;
  std::vector<std::string> options;
  std::string launcher;  ///< command of models that are launched, or the one that confines others to cores
  std::string case_;     ///< "case" in JSON: digest of an LBM problem, the words of another workload's case
  int steps = 0;
  int round = 1;
  std::string program;  ///< digest of the executable
  std::string oracle;   ///< version of the oracle it is checked against
  std::string host;
  std::string build;  ///< the plan's name for the build folder of the program; "" = the driver's own

  /// Ranks times threads, each at least 1.
  int workers() const;
  /// Whether the program was not told of its threads but has no more cores.
  bool is_confined() const { return ranks == 0 && !launcher.empty(); }

  nlohmann::json to_json() const;
  /// Throws nlohmann::json::exception if something is missing or has the wrong type.
  static RunKey from_json(const nlohmann::json& json);
  std::string identity() const;       ///< one text per key
  std::string configuration() const;  ///< the same for all rounds
  /// The same without the versions of program and oracle, and these.
  std::string lasting_identity() const, version() const;
};

/// How a round was shuffled, and the number of the run in the plan's order.
struct Order {
  std::uint32_t seed = 0;
  int number = 0;
  std::string plan = {};  ///< its name, and the call's selection: "quick --models openmp"; "" in older files
};
BOLTZMARK_JSON(Order)

struct RunEntry {
  RunKey key;
  std::string case_name;  ///< "case" in JSON: the user's name of it, "128x128"
  RunStatus status = RunStatus::ok;
  std::string reason;  ///< why not ok, one line
  int exit_status = 0;
  double wall_seconds = 0.0;
  std::string command;
  bool stopped = false;          ///< by a tuner: too slow, so its other rounds were left out
  Roofs roofs;                   ///< of the processor at about that time; empty if not probed
  std::optional<Order> order;    ///< its place in its round
  std::string place;             ///< "FILE:LINE" of an entry that was read; not written
  std::optional<Record> record;  ///< null in JSON if the program wrote none

  /// A result whose check failed is wrong, whatever else the file says.
  void heed_check();
  nlohmann::json to_json() const;
  /// Throws std::exception that describes the fault.
  static RunEntry from_json(const nlohmann::json& json);
};

/// Contents and faults of a runs.jsonl.
struct RunsFile {
  std::vector<RunEntry> entries;        ///< in the file's order
  std::vector<std::string> complaints;  ///< one for each line that could not be used
  std::size_t whole_bytes = 0;          ///< up to the last line that is not cut off
  bool cut_off = false;                 ///< the last line is unfinished: its writer was killed
};

/// Texts of a file unchanged, or without control characters, which a terminal would interpret.
enum class Texts { as_written, to_show };

/// Reads a runs.jsonl; a missing file is an empty one. Broken lines are left out, with a complaint each.
RunsFile read_runs(const fs::path& file, Texts texts = Texts::as_written);

/// Version of the file of `boltzmark share`: first a line {"shared": version, "peaks": peaks.json or null}, then the
/// lines of runs.jsonl, and those of tuning.jsonl with "tuning": true.
inline constexpr int shared_format = 1;

/// Finished runs in a results folder: of plans, and of tuners.
inline constexpr const char *runs_file = "runs.jsonl", *tuning_file = "tuning.jsonl";

/// An open results folder; locked against other drivers.
class Store {
 public:
  /// `name` is runs_file or tuning_file. `fresh` moves earlier runs aside, and with those of plans also logs and
  /// tables. Throws Error (bad_input) as FolderLock.
  Store(fs::path folder, bool fresh, std::string name = runs_file);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const fs::path& folder() const { return folder_; }
  const std::vector<std::string>& complaints() const { return complaints_; }
  /// The newest entry with this key, or nullptr.
  const RunEntry* find(const RunKey& key) const;
  /// All newest entries, in no particular order.
  std::vector<const RunEntry*> entries() const;
  /// Writes the entry to disk, unless it equals the newest one and no other build ran since.
  void add(const RunEntry& entry);

 private:
  fs::path file() const { return folder_ / name_; }

  fs::path folder_;
  std::string name_;
  FolderLock lock_;
  std::vector<std::string> complaints_;
  std::map<std::string, RunEntry> newest_;     ///< by RunKey::identity
  std::map<std::string, std::string> latest_;  ///< versions of program and oracle, by the rest of the configuration
};

/// Whether a run with this entry needs no second try. A wrong result needs none: the next result may be right and must
/// not hide it. Runs that failed, ran out of time or were not possible are tried again.
bool is_final(const RunEntry* entry);

/// The peaks of a results folder; none if they are missing, or cannot be read, which is one line for `complain`.
std::optional<Peaks> peaks_in(
    const fs::path& results, const std::function<void(const std::string&)>& complain = [](const std::string&) {});

struct Results {
  fs::path folder;  ///< or the file of records
  /// For each configuration, the runs of its latest build, the newest of every round; rounds in the plan's order.
  std::vector<RunEntry> entries;
  std::vector<RunEntry> tuning;  ///< trials of tuners
  std::optional<Peaks> peaks;
  std::vector<std::string> complaints;  ///< one line each: file, line, expected, found

  bool empty() const { return entries.empty() && tuning.empty() && !peaks; }
};

/// Reads a results folder (runs.jsonl, tuning.jsonl, peaks.json), or a file: records written with --json, a
/// runs.jsonl by itself, or what `boltzmark share` wrote. Roofs are the best that others confirm of peaks, probes and
/// right runs of STREAM, with their lower ends by the probes (judge_roofs()), without contradictions (reconcile()).
/// What cannot be used is complained about, on standard error too, and left out. Throws Error (bad_input) where nothing
/// is left.
Results read_results(const fs::path& folder_or_file);

}  // namespace boltzmark
