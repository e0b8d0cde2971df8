// The problems of the folder inputs/ by their names.
#pragma once

#include <filesystem>
#include <string>

namespace boltzmark::lbm {

struct ProblemFiles {
  std::filesystem::path params, obstacles;
};

/// The files of a problem such as "128x128", which are inputs/input_128x128.params and, for a grid with obstacles,
/// inputs/obstacles_128x128.dat. The folder is found from the executable, wherever sources and build lie together.
/// Throws Error (bad_input) that lists the names there are.
ProblemFiles standard_problem(const std::string& name);

}  // namespace boltzmark::lbm
