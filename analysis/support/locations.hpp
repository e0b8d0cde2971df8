// Where the driver finds what belongs to it.
#pragma once

#include <filesystem>
#include <string>

namespace boltzmark {

/// The folder of this executable: the models and models.json lie beside it.
std::filesystem::path program_folder();

/// The folder of the built-in plans, relative to the executable as the build left it.
std::filesystem::path plan_folder();

/// The published figures that the report shows, found in the same way.
std::filesystem::path published_file();

/// The path from the current folder where the file lies in it, else the whole path.
std::filesystem::path from_here(const std::filesystem::path& path);

}  // namespace boltzmark
