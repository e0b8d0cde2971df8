// A problem's files; separate from problem.hpp, because <filesystem> adds a second to every source of every model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Given instead of an obstacle file: a grid without obstacles.
inline constexpr const char* no_obstacles = "none";

/// "128x128" for input_128x128.params.
std::string problem_name(const std::filesystem::path& params);

/// Reads a parameter file. In three dimensions a line with the start state may follow the eight numbers
/// (start_state.hpp): `start taylor-green U` or `start shear-wave KX KY KZ UX UY UZ`. Throws Error (bad_input) with
/// file, line, expected and found.
Parameters read_parameters(const std::filesystem::path& file);

/// Reads an obstacle file for a grid of these parameters into `problem.solid` and `problem.moving`: lines `x y 1`, or
/// in three dimensions `x y z 1` and, for a moving wall, `x y z 1 U_X`. Throws Error (bad_input) as above.
void read_obstacles(const std::filesystem::path& file, Problem& problem);

/// Writes both files of a problem, with this many steps as its iterations; load_problem() reads an equal problem from
/// them. Throws Error (bad_input).
void write_problem(const Problem& problem, int steps, const std::filesystem::path& params,
                   const std::filesystem::path& obstacles);

/// Reads both, and repeats a problem in two dimensions over `depth` planes if given. Throws Error (bad_input), also if
/// every cell is solid, and Error (unavailable) if this machine's memory cannot hold the grid.
Problem load_problem(const std::filesystem::path& params, const std::filesystem::path& obstacles,
                     std::optional<int> depth = {});

struct ProblemFiles {
  std::filesystem::path params, obstacles;
};

/// The files of a problem such as "128x128", which are inputs/input_128x128.params and, for a grid with obstacles,
/// inputs/obstacles_128x128.dat. The folder is found relative to the executable. Throws Error (bad_input) that lists
/// the known names.
ProblemFiles standard_problem(const std::string& name);

}  // namespace boltzmark::lbm
