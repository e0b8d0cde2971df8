// Fused: two grids, one parallel_reduce per step, from one grid to the other, a team a row.
#include "kokkos/lbm/grid_solver.hpp"

namespace boltzmark::kokkos {
namespace {

template <class T, class L>
using Fused = GridSolver<T, L, 2>;

}  // namespace

extern const Variant fused = like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one parallel_reduce per step, a team a row, in vectors");

}  // namespace boltzmark::kokkos
