// The update of one row of cells in place, built for several vector lengths, among which the in-place and wavefront
// variants of the CPU models choose at run time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "common/base/half.hpp"
#include "common/lbm/cell.h"

namespace boltzmark::lbm {

enum : int { row_directions = D2Q9::directions };  ///< an enumerator: offload code cannot read a constexpr variable

/// The rows of an update and the places of its results, in the layout of in_place_grid.hpp. T: type of stored values.
///
///   two dimensions               three dimensions: rows[0] .. rows[8]
///
///   rows[2]   y+1                plane z-1     plane z     plane z+1
///   rows[1]   y     <- updated      2             5            8        y+1
///   rows[0]   y-1                   1             4 <-         7        y
///                                   0             3            6        y-1
template <class T, class L = D2Q9>
struct RowJob;

template <class T>
struct RowJob<T, D2Q9> {
  T* rows[3];                  ///< first value of each row
  int vectors;                 ///< in a row
  const std::uint32_t* solid;  ///< one word per vector: bit l = lane l is solid
  /// Ends of runs of vectors: up to [0] none has solid cells, up to [1] they may have some, up to [2] none, and so on
  /// in pairs; ends with `vectors` twice.
  const std::int32_t* runs;
};

/// In three dimensions: consecutive rows of a plane, so that the fixed cost of a row is paid once for several. Later
/// rows are prefetched explicitly: a row is in nine places, more than hardware prefetchers follow.
template <class T>
struct RowJob<T, D3Q19> {
  static constexpr int padding_shift = 16;
  T* rows[9];            ///< first value of each row
  int vectors;           ///< in a row
  int count;             ///< rows y, y+1 ... to update
  std::ptrdiff_t pitch;  ///< values from one to the next, in all of the nine
  /// As above, row after row, but lanes past a row's last column have their bits from `padding_shift` on. Results in
  /// these padding lanes are never read; only their speeds must be masked out.
  const std::uint32_t* solid;
  std::ptrdiff_t next;   ///< values from a row to the one to prefetch with it
  const char* later;     ///< part of a row of a later plane, to prefetch with the first row
  int lines_per_vector;  ///< cache lines of `later` to prefetch with every vector
};

/// Rows to prefetch while rows of a plane are updated, in three dimensions: row next_y of plane next_z and the rows
/// after it, which the same thread updates some rows later; and part `part` of `parts` of row later_y of plane later_z,
/// which the sweep reaches later (not if parts is 0).
struct RowsAhead {
  int next_y, next_z;
  int later_y = 0, later_z = 0, part = 0, parts = 0;
};

/// Updates a row; returns the sum of its fluid cells' speeds in units of Relaxation::speed_unit.
template <class T, class L = D2Q9>
using RowUpdate = double (*)(const RowJob<T, L>& job, const Relaxation<Arithmetic<T>, L>& c);

/// The row updates for one vector length (the virtual vector length, VVL, of targetDP).
template <class T, class L = D2Q9>
struct RowKernels {
  const char* name;                    ///< instruction set of the vectors, e.g. "AVX-512"
  int lanes;                           ///< cells in a vector
  bool (*runs_here)();                 ///< whether this processor can run them
  RowUpdate<T, L> from_neighbours[2];  ///< reads and writes the neighbours' populations; [1]: of the driven row
  RowUpdate<T, L> from_own[2];         ///< reads and writes the cells' own; [1]: of the driven row
};

/// Those of one instruction set, and those for other lengths, defined by the translation units of rows.cpp.
using RowTables =
    std::tuple<RowKernels<float>, RowKernels<double>, RowKernels<float, D3Q19>, RowKernels<double, D3Q19>>;
using OtherRows = std::tuple<std::array<RowKernels<float>, 3>, std::array<RowKernels<double>, 2>>;
extern const RowTables rows_512, rows_256, rows_128;
extern const OtherRows rows_0;

/// Those for populations stored as halves, for the vectors of the build (half_rows.cpp).
template <class L>
const RowKernels<Half, L>& half_rows();
template <>
const RowKernels<Half, D2Q9>& half_rows();
template <>
const RowKernels<Half, D3Q19>& half_rows();

/// The kernels for `lanes` cells per vector, or, if not given, the widest of an instruction set of this processor.
/// Throws Error (bad_input) for a length that is not built, Error (unavailable) for one that this processor cannot run;
/// the line names the lengths that it can run.
template <class T, class L = D2Q9>
const RowKernels<T, L>& row_kernels(std::optional<int> lanes);

/// All lengths that this processor can run, those of an instruction set first, starting with the widest.
template <class T, class L = D2Q9>
std::vector<const RowKernels<T, L>*> row_kernels_here();

}  // namespace boltzmark::lbm
