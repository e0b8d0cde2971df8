// The results folder: finished runs, one a line, on disk as soon as they end.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/store/run_entry.hpp"
#include "analysis/support/results_folder.hpp"

namespace boltzmark {

/// What a runs.jsonl holds, and what is wrong with it.
struct RunsFile {
  std::vector<RunEntry> entries;        ///< in the file's order
  std::vector<int> lines;               ///< of the entries
  std::vector<std::string> complaints;  ///< one line for each line that could not be used
  std::size_t whole_bytes = 0;          ///< up to the last line that is not cut off
  bool cut_off = false;                 ///< the last line is unfinished: its writer was killed
};

/// Reads a runs.jsonl; a missing file is an empty one. Broken lines are left out and complained about.
RunsFile read_runs(const std::filesystem::path& file);

/// Names of the files of finished runs in a results folder: of plans, and of a tuner.
inline constexpr const char *runs_file = "runs.jsonl", *tuning_file = "tuning.jsonl";

/// An open results folder; nobody else can open it meanwhile.
class Store {
 public:
  /// Creates the folder where it is missing. `name` is runs_file or tuning_file. `fresh` moves earlier runs,
  /// and with those of plans also logs and tables, into a folder old-DATE beside them. Throws Error
  /// (bad_input) when the folder is in use or cannot be written.
  Store(std::filesystem::path folder, bool fresh, std::string name = runs_file);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// One line for each line of the file that could not be used.
  const std::vector<std::string>& complaints() const { return complaints_; }
  /// The newest entry with this key, or nullptr.
  const RunEntry* find(const RunKey& key) const;
  /// All newest entries, in no particular order.
  std::vector<const RunEntry*> entries() const;
  /// Writes the entry to disk. An entry that says the same as the newest one is not written again.
  void add(const RunEntry& entry);

 private:
  std::filesystem::path file() const { return folder_ / name_; }

  std::filesystem::path folder_;
  std::string name_;
  FolderLock lock_;
  std::vector<std::string> complaints_;
  std::map<std::string, RunEntry> newest_;  ///< by RunKey::identity
};

/// Whether a run with this entry needs no second try. A wrong result does not: what is wrong once may be
/// right the next time and must not vanish. What failed, ran out of time or was not possible is tried again.
bool is_final(const RunEntry* entry);

}  // namespace boltzmark
