// A strip of one grid that is updated where it lies, by layers: what in_place.cpp needs of rows in two dimensions and
// of planes in three. Layers -halo .. -1 and layers() .. layers()+halo-1 are copies of other ranks' layers.
#pragma once

#include <vector>

#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "mpi/lbm/types.hpp"

namespace boltzmark::mpi {

/// The places of a row that the cells of the next layer (c = 1) or the one before (c = -1) read and write in an even
/// step, from the row's first value. c_i: of each direction, along the axis of the layers.
template <class T, class Directions>
OwnedType crossing_places(const Directions& c_i, int c, int vectors, int lanes) {
  const int directions = static_cast<int>(c_i.size());
  std::vector<int> starts;
  for (int vector = 0; vector < vectors; ++vector)
    for (int i = 0; i < directions; ++i)
      if (c_i[i] == c) starts.push_back((vector * directions + i) * lanes);
  return {starts, lanes, value_type<T>()};
}

template <class T, class L>
class InPlaceLayers;

template <class T>
class InPlaceLayers<T, lbm::D2Q9> : public lbm::InPlaceStrip<T> {
 public:
  using lbm::InPlaceStrip<T>::InPlaceStrip;

  int layers() const { return this->rows(); }
  void init_layers(int begin, int end) { this->init_rows(begin, end); }
  /// As InPlaceStrip::update_row(). A row needs no fetching beforehand, whatever the `depth` of the sweep.
  double update_layer(int y, int step, bool last_step, int /*depth*/) {
    return this->update_row(y, step, last_step);
  }
  T* layer(int y) { return this->row(y); }
  OwnedType crossing(int c) const {
    return crossing_places<T>(lbm::D2Q9::cy, c, this->vectors(), this->lanes());
  }
  OwnedType whole_layer() const { return {static_cast<int>(this->pitch()), value_type<T>()}; }

  /// Steps in one sweep, as caches have it: `layers` that a thread has, and its part of the last-level cache.
  static int cached_depth(const lbm::Parameters& p, int /*layers*/, std::size_t /*last_level*/) {
    return default_time_block(static_cast<std::size_t>(p.nx) * lbm::D2Q9::directions * sizeof(T));
  }
};

template <class T>
class InPlaceLayers<T, lbm::D3Q19> : public lbm::InPlacePlanes<T> {
 public:
  using lbm::InPlacePlanes<T>::InPlacePlanes;

  int layers() const { return this->planes(); }
  void init_layers(int begin, int end) { this->init_planes(begin, end); }
  /// As InPlacePlanes::update_plane(). Each step of a sweep of `depth` fetches its part of what the first one needs
  /// two planes further north.
  double update_layer(int z, int step, bool last_step, int depth) {
    const int level = step % depth;
    return this->update_plane(z, step, last_step, z + level + 2, level, depth);
  }
  T* layer(int z) { return this->row(0, z); }
  OwnedType crossing(int c) const {
    return {this->rows(), this->row_bytes(),
            crossing_places<T>(lbm::D3Q19::cz, c, this->vectors(), this->lanes())};
  }
  /// Of cache lines, for a plane's values may not fit an int.
  OwnedType whole_layer() const {
    constexpr std::size_t line_bytes = 64;
    return {static_cast<int>(this->plane_bytes() / line_bytes),
            OwnedType(line_bytes / sizeof(T), value_type<T>()).type()};
  }

  static int cached_depth(const lbm::Parameters& p, int layers, std::size_t last_level) {
    const std::size_t plane = static_cast<std::size_t>(p.layer_cells()) * lbm::D3Q19::directions * sizeof(T);
    return lbm::default_plane_block(plane, layers, last_level);
  }
};

}  // namespace boltzmark::mpi
