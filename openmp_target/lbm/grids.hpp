// What a run has on its offload device, behind plain functions. The files with target regions (REGIONS in
// CMakeLists.txt) are compiled for the host and once more for every offload target, and nothing else is. This
// header is read by both, and knows no library.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/lbm/cell.h"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// Where the populations of a cell are in a grid:
///     one row:  | pad | f0 of x = 0 .. nx-1 | pad | f1 ... | f8 of x = 0 .. nx-1 | pad
/// (in three dimensions f18). A structure of arrays, row after row; in three dimensions plane after plane, and
/// rows are counted through all planes. Each pad has room for the periodic neighbours of the segments on both
/// its sides, so a step reads along a row without asking for the edge.
struct Layout {
  enum : int { word = 32 };  ///< cells per word of the solid mask, and values in a pad

  int nx = 0, ny = 0, nz = 1;
  int driven_row = 0;          ///< of every plane; -1: none
  int pitch = 0;               ///< values from one direction's segment to the next
  int words = 0;               ///< words of the solid mask per row; bits beyond nx are set
  std::int64_t row = 0;        ///< values from one row to the next
  std::int64_t values = 0;     ///< values in a grid
  std::int64_t origin = word;  ///< index of cell (0, 0), direction 0

  Layout() = default;
  /// For so many directions, with populations of `value_bytes`.
  Layout(std::array<int, 3> cells, int row_of_force, int directions, int value_bytes)
      : nx(cells[0]), ny(cells[1]), nz(cells[2]), driven_row(row_of_force), words((nx + word - 1) / word) {
    pitch = word * (words + 1);
    if (pitch * value_bytes % 4096 == 0)
      pitch += word;  // segments that are 4 KiB apart compete for the same cache lines
    row = std::int64_t{pitch} * directions;
    values = row * rows() + 2 * word;
  }

  /// Of all planes.
  std::int64_t rows() const { return std::int64_t{ny} * nz; }
  /// Index of population i of cell x of a row.
  std::int64_t at(int i, int x, std::int64_t y) const {
    return origin + row * y + std::int64_t{i} * pitch + x;
  }
};

/// The grids of a run on their device, as long as this lives, and the target regions that work on them.
template <class T>
class DeviceGrids {
 public:
  virtual ~DeviceGrids() = default;
  /// Every cell at rest, set by the threads that will update it.
  virtual void set_start_state() = 0;
  /// Replaces the start state of all cells of some rows by `values`, ordered as the layout orders them.
  virtual void write_rows(std::int64_t first, std::int64_t rows, const T* values) = 0;
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
  /// Steps that threads take their rows on at a time, while they are in a cache.
  virtual int sweep_steps() const { return 1; }
  /// What the regions recorded so far, and how many there were.
  virtual LaunchRecord record() = 0;
  virtual std::int64_t regions() const = 0;
};

/// What a moving wall adds to one value of a grid after a step.
template <class T>
struct WallGain {
  std::int64_t cell;   ///< that moves, in row-by-row order
  std::int64_t value;  ///< index in the grid
  T gain;
};

/// What every way of running a problem starts from. `solid` is the mask of solid cells, layout.words words
/// per row.
template <class T, class L>
struct GridSetup {
  Layout layout;
  lbm::Relaxation<T, L> relaxation;
  const std::uint32_t* solid;
  /// After steps of even and of odd number, by ascending cell; as many for the one as for the other. One grid
  /// that is updated in place has populations in other places then.
  std::array<std::vector<WallGain<T>>, 2> walls;
  Launch launch;  ///< on a GPU: one thread per cell
  int sum_group;  ///< of the device, see DeviceProperties
  int lanes;      ///< that its image updates at a time
  bool on_processor;
  /// Steps that a thread of a processor takes its rows on at a time in `persistent` in two dimensions; 1: all threads go
  /// step by step.
  int sweep_steps = 1;
};

/// Two grids, one region per step, sums kept on the device. Null where the device has too little memory, as
/// below.
template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_two_grids(const GridSetup<T, L>& setup);

/// One grid that is updated in place, one region per step, sums kept on the device.
template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_in_place(const GridSetup<T, L>& setup);

/// The same, but many steps per region: the teams stay, and after each step a team waits for those that have
/// cells next to its own. Takes as many of launch.teams as the device holds at a time, which it tries out.
template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_persistent(const GridSetup<T, L>& setup);

/// What make_persistent makes for more than one of sweep_steps, in two dimensions.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_bands(const GridSetup<T, lbm::D2Q9>& setup);

/// What make_persistent and make_in_place (`one_by_one`: a region for every step) make in three dimensions for a
/// processor.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_planes(const GridSetup<T, lbm::D3Q19>& setup, bool one_by_one);

}  // namespace boltzmark::openmp_target
