// A row of `boltzmark check`: a folder and how it did; the file that keeps rows, and what is made of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/run/json.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

struct CheckRow {
  std::string folder;     ///< as it was named
  std::string kind;       ///< "sources" or "results"; "" where it is neither
  std::string case_name;  ///< of its problem
  int steps = 0;
  std::string verdict;              ///< one of namespace verdict, or "problem"
  std::string reason;               ///< one line; "" when it is right
  std::optional<double> deviation;  ///< the worst, relative
  std::string deviation_at;         ///< of what that is, and where
  double tolerance = 0.0;
  std::optional<double> seconds;       ///< as the program says
  std::optional<double> wall_seconds;  ///< from its start to its end
  std::optional<double> speed_up;      ///< over serial's textbook; of what is right alone
  std::string notes;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CheckRow, folder, kind, case_name, steps, verdict, reason, deviation, deviation_at,
                                   tolerance, seconds, wall_seconds, speed_up, notes)

/// Rows on disk, each as soon as it is there.
class CheckFile {
 public:
  /// Reads what is there. A last line that was cut off, or one of another kind, is left out.
  explicit CheckFile(fs::path file);

  /// The newest row of this key; `key` is all that makes it this check.
  const CheckRow* find(const nlohmann::json& key) const;
  /// Throws Error (bad_input) where it cannot be written.
  void add(const nlohmann::json& key, const CheckRow& row);

 private:
  fs::path file_;
  std::vector<std::pair<std::string, CheckRow>> rows_;
};

/// For the terminal.
std::string check_table(const std::vector<CheckRow>& rows, int width);

/// All of it, a line a row.
std::string check_csv(const std::vector<CheckRow>& rows);

}  // namespace boltzmark
