// The problem to solve: the numbers of a parameter file and the cells of an obstacle file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace boltzmark::lbm {

/// The seven numbers of a parameter file, in the file's order.
struct Parameters {
  int nx = 0;            ///< cells in x (at least 1)
  int ny = 0;            ///< cells in y (at least 3)
  int iterations = 0;    ///< time steps (at least 1)
  int reynolds_dim = 0;  ///< characteristic length of the Reynolds number, in cells
  double density = 0.0;  ///< initial density, lattice units, above zero
  double accel = 0.0;    ///< strength of the body force on the driven row, lattice units, above zero
  double omega = 0.0;    ///< relaxation rate, in (0, 2)

  int driven_row() const { return ny - 2; }  ///< the row that the body force pushes
};

/// A grid, its obstacles and its parameters. Cell (x, y) has index x + y*nx; both directions are periodic.
struct Problem {
  std::string name;  ///< from the parameter file's name: "128x128" for input_128x128.params
  Parameters parameters;
  std::vector<std::int64_t> solid;  ///< indices of the obstacle cells, ascending, each once

  std::int64_t cells() const { return std::int64_t{parameters.nx} * parameters.ny; }
  std::int64_t fluid_cells() const { return cells() - static_cast<std::int64_t>(solid.size()); }
  /// One byte a cell, 1 = obstacle, of rows first_row .. first_row+rows-1 (row numbers are taken modulo ny).
  std::vector<std::uint8_t> solid_mask(int first_row, int rows) const;
  /// The same of the whole grid.
  std::vector<std::uint8_t> solid_mask() const { return solid_mask(0, parameters.ny); }
  /// Equal for equal parameters and obstacles: 16 hexadecimal digits.
  std::string digest() const;
  /// Kinematic viscosity, lattice units: (2/omega - 1)/6.
  double viscosity() const { return (2.0 / parameters.omega - 1.0) / 6.0; }
  /// Reynolds number at an average velocity (lattice units).
  double reynolds(double average_velocity) const {
    return average_velocity * parameters.reynolds_dim / viscosity();
  }
};

/// Given in place of an obstacle file: a grid without obstacles.
inline constexpr const char* no_obstacles = "none";

/// "128x128" for input_128x128.params.
std::string problem_name(const std::filesystem::path& params);

/// Reads a parameter file. Throws Error (bad_input) with file, line, expected and found.
Parameters read_parameters(const std::filesystem::path& file);

/// Reads an obstacle file for an nx x ny grid: ascending indices, each once. Throws Error (bad_input) as
/// above.
std::vector<std::int64_t> read_obstacles(const std::filesystem::path& file, int nx, int ny);

/// Reads both. Throws Error (bad_input), also when every cell is solid, and Error (unavailable) where this
/// machine's memory cannot hold the grid.
Problem load_problem(const std::filesystem::path& params, const std::filesystem::path& obstacles);

}  // namespace boltzmark::lbm
