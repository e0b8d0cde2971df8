// In place: one grid, one parallel_reduce per step, which writes where it has read.
#include "kokkos/lbm/grid_solver.hpp"

namespace boltzmark::kokkos {
namespace {

template <class T, class L>
using InPlace = GridSolver<T, L, 1>;

}  // namespace

extern const Variant in_place = {.name = "in-place",
                                 .summary = "one grid, updated in place, one parallel_reduce per step, a team a row",
                                 .kinds = {D3Q19::name},
                                 .make = made_of<InPlace>};

}  // namespace boltzmark::kokkos
