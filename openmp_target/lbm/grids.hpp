// What a run has on its offload device, behind plain functions. The files with target regions (REGIONS in
// CMakeLists.txt) are compiled for the host and once more for every offload target, and nothing else is. This
// header is read by both, and knows no library.
#pragma once

#include <cstdint>
#include <memory>

#include "common/lbm/cell.h"
#include "common/lbm/lattice.hpp"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// Where the populations of a cell are in a grid:
///     one row:  | pad | f0 of x = 0 .. nx-1 | pad | f1 ... | f8 of x = 0 .. nx-1 | pad
/// A structure of arrays, row after row. Each pad holds the periodic neighbours of the segments on both its
/// sides, so a step reads along a row without asking for the edge.
struct Layout {
  enum : int { word = 32 };  ///< cells per word of the solid mask, and values in a pad

  int nx = 0, ny = 0;
  int driven_row = 0;
  int pitch = 0;               ///< values from one direction's segment to the next
  int words = 0;               ///< words of the solid mask per row; bits beyond nx are set
  std::int64_t row = 0;        ///< values from one row to the next
  std::int64_t values = 0;     ///< values in a grid
  std::int64_t origin = word;  ///< index of cell (0, 0), direction 0

  Layout() = default;
  /// For populations of `value_bytes`.
  Layout(int nx_cells, int ny_cells, int row_of_force, int value_bytes)
      : nx(nx_cells), ny(ny_cells), driven_row(row_of_force), words((nx + word - 1) / word) {
    pitch = word * (words + 1);
    if (pitch * value_bytes % 4096 == 0)
      pitch += word;  // segments that are 4 KiB apart compete for the same cache lines
    row = std::int64_t{pitch} * lbm::Lattice::directions;
    values = row * ny + 2 * word;
  }

  /// Index of population i of cell (x, y).
  std::int64_t at(int i, int x, int y) const { return origin + row * y + std::int64_t{i} * pitch + x; }
};

/// The grids of a run on their device, as long as this lives, and the target regions that work on them.
template <class T>
class DeviceGrids {
 public:
  virtual ~DeviceGrids() = default;
  /// Every cell at rest, set by the threads that will update it.
  virtual void set_start_state() = 0;
  /// `steps` time steps; sums[t] becomes the sum of |u| over the fluid cells after step t. False when teams
  /// that wait for one another timed out.
  virtual bool run(int steps, double* sums) = 0;
  /// Populations of all cells as they are now, as the layout orders them; valid while this lives.
  virtual const T* fetch() = 0;
  /// Whether population i of a cell has already moved: it is with the neighbour in direction i, in the
  /// opposite population's place.
  virtual bool is_streamed() const { return false; }
  /// How the steps are launched, and at most how many of them in one region.
  virtual Launch launch() const = 0;
  virtual int steps_per_region() const { return 1; }
  /// What the regions recorded so far, and how many there were.
  virtual LaunchRecord record() = 0;
  virtual std::int64_t regions() const = 0;
};

/// What every way of running a problem starts from. `solid` is the mask of solid cells, layout.words words
/// per row.
template <class T>
struct GridSetup {
  Layout layout;
  lbm::Relaxation<T> relaxation;
  const std::uint32_t* solid;
  Launch launch;  ///< on a GPU: one thread per cell
  int sum_group;  ///< of the device, see DeviceProperties
};

/// Two grids, one region per step, sums kept on the device. Null where the device has too little memory, as
/// below.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_two_grids(const GridSetup<T>& setup);

/// One grid that is updated in place, one region per step, sums kept on the device.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_in_place(const GridSetup<T>& setup);

/// The same, but many steps per region: the teams stay, and after each step a team waits for those that have
/// cells next to its own. Takes as many of launch.teams as the device holds at a time, which it tries out.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_persistent(const GridSetup<T>& setup);

}  // namespace boltzmark::openmp_target
