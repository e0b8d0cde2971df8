// The best options that a tuner found, kept in a file from which models take them by default.
//
// The file holds one JSON object: "format": 2, and "tuned": a list of objects with workload, model, device,
// variant, precision, size (texts), options (an object: "work-group": "32x4", without the dashes) and seconds
// (compute time with them).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "common/run/json.hpp"

namespace boltzmark {

/// The purpose for which options were tuned.
struct TunedFor {
  std::string workload, model, device, variant, precision;
  std::string size;  ///< of the case, "128x128"
  bool operator==(const TunedFor&) const = default;
};
BOLTZMARK_JSON(TunedFor)

/// Options by their names without dashes.
using TunedOptions = std::map<std::string, std::string>;

/// $XDG_DATA_HOME/boltzmark/tuned.json, else ~/.local/share/boltzmark/tuned.json, else "".
std::filesystem::path default_tuned_file();

/// The options kept for this; empty if there are none, or no file. Throws Error (bad_input) for a file that is not as
/// described above.
TunedOptions find_tuned(const std::filesystem::path& file, const TunedFor& what);

/// Makes sure that keep_tuned() can write its file, creating the folder. Throws Error (bad_input), also for a file that
/// is not as described above.
void expect_place_for_tuned(const std::filesystem::path& file);

/// Stores options, replacing older ones for the same key. Processes that do so at the same time do not lose each
/// other's options, because FILE.lock in the same folder is locked meanwhile. Throws Error (bad_input) on failure.
void keep_tuned(const std::filesystem::path& file, const TunedFor& what, const TunedOptions& options, double seconds);

}  // namespace boltzmark
