// What crosses the faces of a strip in structure-of-arrays form (common/lbm/cpu/strip.hpp), as MPI types.
#pragma once

#include <vector>

#include "common/lbm/cpu/strip.hpp"
#include "mpi/lbm/types.hpp"

namespace boltzmark::mpi {

/// Where the segments of the directions begin that have c_i[i] = c, from direction 0 of x = 0, `shift` further on.
template <class Directions>
std::vector<int> segments_of(const Directions& c_i, int c, int pitch, int shift) {
  std::vector<int> starts;
  for (int i = 0; i < static_cast<int>(c_i.size()); ++i)
    if (c_i[i] == c) starts.push_back(i * pitch + shift);
  return starts;
}

/// Of a layer, what crosses to the next one (c = 1) or the one before (c = -1), with ghost columns.
template <class T, class L>
OwnedType crossing_layers(int c, const lbm::Strip<T, L>& strip) {
  const auto& c_i = L::dimension == 2 ? L::cy : L::cz;
  return {strip.rows(), strip.row_bytes(),
          OwnedType(segments_of(c_i, c, strip.pitch(), -1), strip.columns() + 2, value_type<T>())};
}

/// Of row y of every layer, what crosses to row y+1 or y-1, with ghost columns.
template <class T, class L>
OwnedType crossing_rows(int c, const lbm::Strip<T, L>& strip) {
  return {strip.layers(), strip.row_bytes() * strip.rows(),
          OwnedType(segments_of(L::cy, c, strip.pitch(), -1), strip.columns() + 2, value_type<T>())};
}

/// Of column x of every row, what crosses to column x+1 or x-1.
template <class T, class L>
OwnedType crossing_columns(int c, const lbm::Strip<T, L>& strip) {
  return {strip.rows() * strip.layers(), strip.row_bytes(),
          OwnedType(segments_of(L::cx, c, strip.pitch(), 0), 1, value_type<T>())};
}

}  // namespace boltzmark::mpi
