// The update of one row of cells in place, built for several vector lengths: what the in-place and wavefront
// variants of the CPU models choose from at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/lbm/cell.h"

namespace boltzmark::lbm {

enum : int { row_directions = D2Q9::directions };  ///< as a name of the number, for target regions

/// One row and its neighbours, as in_place_strip.hpp and in_place_planes.hpp lay them out.
template <class T, class L = D2Q9>
struct RowJob;

template <class T>
struct RowJob<T, D2Q9> {
  T *south, *row, *north;      ///< first value of each row
  int vectors;                 ///< in a row
  const std::uint32_t* solid;  ///< one word per vector: bit l = lane l is solid
  /// Vectors up to [0] have no solid cells, those up to [1] may have some, up to [2] there are none again, and so
  /// on in pairs; ends with `vectors` twice.
  const std::int32_t* stretches;
};

/// In three dimensions, of rows that follow each other in a plane: what a row costs beside its vectors, they share. What
/// the memory must fetch next is asked for beforehand: a row lies in nine places, which is more than processors follow by
/// themselves.
template <class T>
struct RowJob<T, D3Q19> {
  static constexpr int beyond = 16;
  T* rows[9];  ///< first value of row y-1, y, y+1 of plane z-1, then of plane z, then of plane z+1
  int vectors;
  int count;             ///< rows y, y+1 ... to update
  std::ptrdiff_t pitch;  ///< values from one to the next, in all of the nine
  /// As above, row after row, but for lanes beyond a row's last column: these have their bits from `beyond` on. What is
  /// computed there nobody reads, so that they need no care but that their speeds do not count.
  const std::uint32_t* solid;
  std::ptrdiff_t soon;  ///< values from a row to the one to fetch with it
  const char* far;      ///< part of a row that a later plane needs, of the first one
  int far_lines;        ///< cache lines of it to fetch with every vector
};

/// What is fetched with a row in three dimensions, and with those after it what follows that. The row that the same thread
/// does some rows later, and no other thread's, which would have to give it away; and a part of a row that a later plane
/// needs: part `part` of `parts` of row y of plane z, none of it with parts = 0.
struct RowsAhead {
  int soon_y, soon_z;
  int y = 0, z = 0, part = 0, parts = 0;
};

/// Updates a row; returns the sum of its fluid cells' speeds in units of Relaxation::speed_unit.
template <class T, class L = D2Q9>
using RowUpdate = double (*)(const RowJob<T, L>& job, const Relaxation<T, L>& c);

/// The row updates for one vector length (the virtual vector length, VVL, of targetDP).
template <class T, class L = D2Q9>
struct RowKernels {
  const char* name;     ///< what the vectors are made of, e.g. "AVX-512"
  int lanes;            ///< cells in a vector
  bool (*runs_here)();  ///< whether this processor can run them
  RowUpdate<T, L>
      from_neighbours[2];       ///< reads and writes the neighbours' populations; [1]: of the driven row
  RowUpdate<T, L> from_own[2];  ///< reads and writes the cells' own; [1]: of the driven row
};

/// The kernels for `lanes` cells per vector, or without it the widest of an instruction set of this processor.
/// Throws Error (bad_input) for a length that is not built, Error (unavailable) for one that this processor
/// cannot run; the line names those that it can.
template <class T, class L = D2Q9>
const RowKernels<T, L>& row_kernels(std::optional<int> lanes);

/// All lengths that this processor can run, those of an instruction set first and the widest of them at the
/// top.
template <class T, class L = D2Q9>
std::vector<const RowKernels<T, L>*> row_kernels_here();

}  // namespace boltzmark::lbm
