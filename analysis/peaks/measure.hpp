// Peaks of this machine: as they were kept, or measured anew where machine or build has changed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/signals.hpp"

namespace boltzmark {

/// What is wanted of peaks.
struct PeaksRequest {
  std::filesystem::path results = "results";
  bool processor = true, devices = true;  ///< which halves
  bool fresh = false;                     ///< measure even where the kept figures are good
  bool brief = false;                     ///< few and short repetitions: rough figures in some seconds
  double time_limit_seconds = 600.0;      ///< of each measuring program
};

struct PeaksAnswer {
  Peaks peaks;
  bool measured = false;  ///< anything, in this call
  bool failed = false;    ///< something that should have worked did not
  std::vector<std::string>
      complaints;  ///< a line for each half that is missing, and for a kept file that is broken
};

/// The file: RESULTS/peaks.json. What Google Benchmark wrote lies in RESULTS/peaks.
std::filesystem::path peaks_file(const std::filesystem::path& results);

/// Takes what RESULTS/peaks.json has and is still good, measures the rest of what is wanted (progress on
/// standard error), and writes the whole. Files that are replaced go into RESULTS/old-DATE. The caller holds
/// a FolderLock on the results. Gives none when a signal stopped it: then nothing has changed on disk. A half
/// is good as long as its key is the same: a digest over host, processor, cores and caches, or over the
/// devices and their drivers, and the measuring program. Throws Error (unavailable) when a half that was
/// asked for by itself, or the processor's, cannot be measured here; Error (bad_input) when the results
/// cannot be written.
std::optional<PeaksAnswer> measure_or_load_peaks(const PeaksRequest& request, SignalWatch& signals,
                                                 Progress& progress);

/// The commands that a call would run now, one a line; none when all is there.
std::optional<std::vector<std::string>> commands_for_peaks(const PeaksRequest& request, SignalWatch& signals);

}  // namespace boltzmark
