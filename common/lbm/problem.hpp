// The problem to solve: the numbers of a parameter file and the cells of an obstacle file (problem_files.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/lbm/cell.h"

namespace boltzmark::lbm {

/// The start state of a run; populations are at equilibrium with it.
struct Start {
  enum class Kind { at_rest, taylor_green, shear_wave };
  Kind kind = Kind::at_rest;
  std::array<double, 3> velocity = {};  ///< amplitude, lattice units; for Taylor-Green vortices only x
  std::array<int, 3> waves = {};        ///< of a shear wave: whole waves along each axis
};

/// The numbers of a parameter file, in the file's order: seven in two dimensions, and in three eight, with nz.
struct Parameters {
  int nx = 0;            ///< cells in x (at least 1)
  int ny = 0;            ///< cells in y (at least 3; at least 1 without a driven row)
  int nz = 1;            ///< cells in z (at least 1)
  int dimension = 2;     ///< 2: D2Q9, and nz is 1; 3: D3Q19, also for one plane
  int iterations = 0;    ///< time steps (at least 1)
  int reynolds_dim = 0;  ///< characteristic length of the Reynolds number, in cells
  double density = 0.0;  ///< initial density, lattice units, above zero
  double accel = 0.0;    ///< strength of the body force on the driven row, lattice units, above zero; in 3-D also 0
  double omega = 0.0;    ///< relaxation rate, in (0, 2)
  Start start = {};      ///< three dimensions only

  /// The row pushed by the body force in every plane; -1: no such row.
  int driven_row() const { return accel > 0.0 ? ny - 2 : -1; }
  /// Layers of the slowest axis, which are divided among threads and ranks: rows, or planes in three dimensions.
  int layers() const { return dimension == 2 ? ny : nz; }
  std::int64_t layer_cells() const { return dimension == 2 ? nx : std::int64_t{nx} * ny; }
  std::int64_t cells() const { return layers() * layer_cells(); }
};

/// A grid, its obstacles and its parameters. Cell (x, y, z) has index x + nx*(y + ny*z); all directions are periodic.
struct Problem {
  /// A solid cell that moves: a wall that drags the fluid along.
  struct Moving {
    std::int64_t cell;
    double ux;  ///< lattice units
    bool operator==(const Moving&) const = default;
    /// Not defaulted, because std::partial_ordering's constants would have to exist on the device
    bool operator<(const Moving& other) const { return cell != other.cell ? cell < other.cell : ux < other.ux; }
  };

  std::string name;  ///< from the parameter file's name: "128x128" for input_128x128.params
  Parameters parameters;
  std::vector<std::int64_t> solid;  ///< indices of the obstacle cells, ascending, each once
  std::vector<Moving> moving = {};  ///< those of them that move, ascending; three dimensions only

  std::int64_t cells() const { return parameters.cells(); }
  std::int64_t fluid_cells() const { return cells() - static_cast<std::int64_t>(solid.size()); }
  /// "D2Q9" or "D3Q19".
  std::string lattice() const { return parameters.dimension == 2 ? D2Q9::name : D3Q19::name; }
  /// Cells along each axis: [nx, ny] or [nx, ny, nz].
  std::vector<std::int64_t> extent() const;
  /// One byte per cell, 1 = obstacle, of layers first .. first+count-1 (layer numbers are taken modulo the number of
  /// layers).
  std::vector<std::uint8_t> solid_mask(int first, int count) const;
  /// The same of the whole grid.
  std::vector<std::uint8_t> solid_mask() const { return solid_mask(0, parameters.layers()); }
  bool is_solid(std::int64_t cell) const;
  /// Equal for equal parameters and obstacles: 16 hexadecimal digits.
  std::string digest() const;
  /// Kinematic viscosity, lattice units: (2/omega - 1)/6.
  double viscosity() const { return (2.0 / parameters.omega - 1.0) / 6.0; }
  /// Reynolds number at an average velocity (lattice units).
  double reynolds(double average_velocity) const { return average_velocity * parameters.reynolds_dim / viscosity(); }
};

/// Makes a three-dimensional problem by repeating a two-dimensional one over `depth` planes.
Problem extruded(const Problem& problem, int depth);

}  // namespace boltzmark::lbm
