// Where the driver finds what belongs to it, and how many workers a model gets here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace boltzmark {

namespace fs = std::filesystem;

/// The folder of this executable: with the models and programs.json.
fs::path program_folder();

/// The folder `analysis` of the sources, relative to the executable as the build left it: plans, published
/// figures and what draws the report are found there.
fs::path analysis_folder();

/// The folder of the built-in plans.
fs::path plan_folder();

/// The path from the current folder where the file is in it, else the whole path.
fs::path from_here(const fs::path& path);

/// Names of a folder's files with this prefix and ending, without them, sorted.
std::vector<std::string> names_between(const fs::path& folder, const std::string& prefix, const std::string& ending);

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
int default_workers();

}  // namespace boltzmark
