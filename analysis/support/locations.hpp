// Where the driver finds what belongs to it.
#pragma once

#include <filesystem>
#include <string>

namespace boltzmark {

/// The folder of this executable: the models and models.json lie beside it.
std::filesystem::path program_folder();

/// The folder `analysis` of the sources, relative to the executable as the build left it: plans, published
/// figures and what draws the report are found there.
std::filesystem::path analysis_folder();

/// The folder of the built-in plans.
std::filesystem::path plan_folder();

/// The path from the current folder where the file lies in it, else the whole path.
std::filesystem::path from_here(const std::filesystem::path& path);

}  // namespace boltzmark
