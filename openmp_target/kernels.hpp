// Everything of a run that is on an offload device, behind plain functions: kernels.cpp is compiled once for
// the host and once more for every offload target, like stream_kernels.cpp and nothing else. This header is
// read by both, and knows no library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/cell.h"

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
};

/// Kept on the device by the regions themselves, so that it is known afterwards where and how they really
/// ran.
struct Witness {
  std::int64_t regions = 0;             ///< how many ran on an offload device
  std::int32_t teams = 0, threads = 0;  ///< of the latest one: teams, and threads of a team
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

/// The grids of a run, mapped to their device as long as this lives, and the target regions that work on
/// them.
template <class T>
class DeviceGrids {
 public:
  virtual ~DeviceGrids() = default;
  /// Every cell at rest, set by the threads that will update it.
  virtual void set_start_state() = 0;
  /// `steps` time steps; sums[t] is zero before and becomes the sum of |u| over the fluid cells after step t.
  virtual void run(int steps, double* sums) = 0;
  /// Populations of all cells as they are now, as the layout orders them; valid while this lives.
  virtual const T* fetch() = 0;
  /// What the regions so far tell of themselves, and how many there were.
  virtual Witness witness() = 0;
  virtual std::int64_t regions() const = 0;
};

/// `blocked` is the obstacle mask, layout.words words a row. One iteration of the parallel loop updates
/// `cells_per_item` neighbouring cells: 1, or nx for whole rows.
template <class T>
std::unique_ptr<DeviceGrids<T>> map_grids(const Layout& layout, const Relaxation<T>& relaxation,
                                          const std::uint32_t* blocked, Launch launch, int cells_per_item);

}  // namespace boltzmark::openmp_target
