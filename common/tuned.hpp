// What options serve best, as a tuner found it, kept in a file from which models take them by default.
//
// The file holds one JSON object: "format": 1, and "tuned": a list of objects with model, device, variant,
// precision (texts), nx, ny (cells), options (an object: "work-group": "32x4", without the dashes) and
// seconds (compute time with them).
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace boltzmark {

/// What options were tuned for.
struct TunedFor {
  std::string model, device, variant, precision;
  int nx = 0, ny = 0;
  bool operator==(const TunedFor&) const = default;
};

/// Options by their names without dashes.
using TunedOptions = std::map<std::string, std::string>;

/// $XDG_DATA_HOME/boltzmark/tuned.json, else ~/.local/share/boltzmark/tuned.json, else "": none.
std::filesystem::path default_tuned_file();

/// The options that were kept for this; empty when there are none, or no file. Throws Error (bad_input) for a
/// file that is not as described above.
TunedOptions find_tuned(const std::filesystem::path& file, const TunedFor& what);

/// Keeps options, in place of older ones for the same. Throws Error (bad_input) when that fails.
void keep_tuned(const std::filesystem::path& file, const TunedFor& what, const TunedOptions& options,
                double seconds);

}  // namespace boltzmark
