// Everything of a run that is on an offload device, behind plain functions. The files that hold target
// regions
// (`region_sources` in CMakeLists.txt) are compiled once for the host and once more for every
// offload target, and nothing else is. This header is read by both, and knows no library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/lbm/cell.h"

namespace boltzmark::openmp_target {

enum class Architecture : int { other, x86_64, aarch64, nvptx64, amdgcn };

/// What code inside a target region finds out about where it is.
struct Surroundings {
  bool on_device = false;  ///< not the initial device, so no fall-back to the host
  Architecture architecture = Architecture::other;
  int architecture_level = 0;        ///< what an NVIDIA image was compiled for, 900 for sm_90; elsewhere 0
  int processors = 0;                ///< omp_get_num_procs
  int max_threads = 0;               ///< omp_get_max_threads
  int lanes_f32 = 1, lanes_f64 = 1;  ///< cells of one row that one thread updates in one go
  int sum_group = 1;                 ///< neighbouring threads that add up what they have before it is stored
  bool teams_can_wait = false;       ///< whether a team can wait for another within a region
  std::uintptr_t code = 0;           ///< address of the code that found this out

  bool is_gpu() const {
    return architecture == Architecture::nvptx64 || architecture == Architecture::amdgcn;
  }
};

/// Runs a region on offload device `device` and says what it found there.
Surroundings look_round(int device);

/// Whether `bytes` can be allocated on the device.
bool has_memory(int device, std::size_t bytes);

/// Device of the regions, and how many teams of how many threads each is asked to use.
struct Launch {
  int device = 0, teams = 1, threads = 1;

  std::int64_t all_threads() const { return std::int64_t{teams} * threads; }
};

/// Kept on the device by the regions themselves, so that it is known afterwards where and how they really
/// ran.
struct Witness {
  std::int64_t regions = 0;             ///< how many ran on an offload device
  std::int64_t misfits = 0;             ///< how many had other teams or threads than they were launched with
  std::int32_t teams = 0, threads = 0;  ///< of the latest of these: teams, and threads of a team
};

/// Where the populations of a cell lie in a grid:
///     one row:  | pad | f0 of x = 0 .. nx-1 | pad | f1 ... | f8 of x = 0 .. nx-1 | pad
/// A structure of arrays, row after row. Each pad holds the periodic neighbours of the segments on both its
/// sides, so a step reads along a row without asking for the edge.
struct Layout {
  enum : int { word = 32 };  ///< cells a word of the obstacle mask has, and values a pad has

  int nx = 0, ny = 0;
  int accelerated_row = 0;
  int pitch = 0;               ///< values from one direction's segment to the next
  int words = 0;               ///< words of the obstacle mask in a row; bits beyond nx are set
  std::int64_t row = 0;        ///< values from one row to the next
  std::int64_t values = 0;     ///< values in a grid
  std::int64_t origin = word;  ///< index of cell (0, 0), direction 0

  Layout() = default;
  /// For populations of `value_bytes`.
  Layout(int nx_cells, int ny_cells, int value_bytes);
};

/// The grids of a run on their device, as long as this lives, and the target regions that work on them.
template <class T>
class DeviceGrids {
 public:
  virtual ~DeviceGrids() = default;
  /// Every cell at rest, set by the threads that will update it.
  virtual void set_start_state() = 0;
  /// `steps` time steps; sums[t] becomes the sum of |u| over the fluid cells after step t. False when teams
  /// that wait for one another gave up.
  virtual bool run(int steps, double* sums) = 0;
  /// Populations of all cells as they are now, as the layout orders them; valid while this lives.
  virtual const T* fetch() = 0;
  /// Whether population i of a cell lies where it moves to next: with the neighbour in direction i, in the
  /// opposite population's place.
  virtual bool lies_ahead() const { return false; }
  /// How the steps are launched.
  virtual Launch launch() const = 0;
  /// What the regions so far tell of themselves, and how many there were.
  virtual Witness witness() = 0;
  virtual std::int64_t regions() const = 0;
};

/// What all ways of running a problem start from. `blocked` is the obstacle mask, layout.words words a row.
template <class T>
struct GridSetup {
  Layout layout;
  Relaxation<T> relaxation;
  const std::uint32_t* blocked;
  Launch launch;  ///< for a GPU: a thread a cell
  int sum_group;  ///< of the device, see Surroundings
};

/// As published: two grids mapped for the whole run, a region a step over all cells of two nested loops, and
/// the compiler's reduction over all teams.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_published(const GridSetup<T>& setup);

/// Two grids, a region a step, sums left on the device.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_two_grids(const GridSetup<T>& setup);

/// One grid that is updated where it lies, a region a step, sums left on the device.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_in_place(const GridSetup<T>& setup);

/// The same, but many steps a region: the teams stay, and each waits after a step for those that have cells
/// next to its own. Takes as many of launch.teams as the device holds at a time, which it tries out.
template <class T>
std::unique_ptr<DeviceGrids<T>> make_persistent(const GridSetup<T>& setup);

}  // namespace boltzmark::openmp_target
