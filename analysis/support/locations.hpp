// Paths of the driver's files, their existence, and default numbers of workers.
#pragma once

#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/cpu/openmp.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

/// Whether this exists, as a file, as a folder, or as anything; false if it is not accessible.
inline bool is_file(const fs::path& path, std::error_code ignored = {}) { return fs::is_regular_file(path, ignored); }
inline bool is_folder(const fs::path& path, std::error_code ignored = {}) { return fs::is_directory(path, ignored); }
inline bool is_there(const fs::path& path, std::error_code ignored = {}) { return fs::exists(path, ignored); }

/// All that a folder holds, or, by a recursive iterator, the folders below it too, as far as they can be read.
template <class Iterator = fs::directory_iterator>
std::vector<fs::path> entries_of(const fs::path& folder, std::error_code error = {}) {
  std::vector<fs::path> entries;
  for (Iterator entry(folder, fs::directory_options::skip_permission_denied, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(*entry);
  return entries;
}
inline auto entries_below(const fs::path& folder) { return entries_of<fs::recursive_directory_iterator>(folder); }

/// The folder of the built-in plans.
inline fs::path plan_folder() { return data_path("analysis/plans"); }

/// Default threads or ranks: OMP_NUM_THREADS, limited to the number of processors, else one per core.
inline int default_workers() {
  static const int workers = [] {
    const int told = told_threads(), most = usable_cores();
    if (told > most)
      print_warning("boltzmark",
                    fmt::format("OMP_NUM_THREADS: expected at most {}, one per processor, found {}; {} used where a "
                                "plan names no number",
                                counted(most, "thread"), told, most == 1 ? "1 is" : std::to_string(most) + " are"));
    return told > 0 ? std::min(told, most) : usable_physical_cores();
  }();
  return workers;
}

}  // namespace boltzmark
