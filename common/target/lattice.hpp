// Places of a lattice's sites in a field, and the boxes of sites on which operations work.
#pragma once

#include <cstdint>

#include "common/target/target.h"

namespace boltzmark::target {

/// The longest VVL: no chunk reaches further beyond the end of a row.
enum : int { longest_vvl = 32 };  // no variable: an OpenMP target region would look for it on the device

/// A lattice of nx x ny x nz sites with a halo of one site all round.
class Lattice {
 public:
  Lattice() = default;
  /// Each row begins, after its halo site, with a whole vector.
  Lattice(int nx, int ny, int nz) : nx_(nx), ny_(ny), nz_(nz) {
    constexpr int vector = 16;  // values in the longest registers
    row_pitch_ = (nx + 2 + vector - 1) / vector * vector;
    layer_pitch_ = row_pitch_ * (ny + 2);
    origin_ = vector - 1;
    set_stride(origin_ + std::int64_t{layer_pitch_} * (nz + 2));
  }
  /// Consecutive sites without neighbours.
  static Lattice line(int sites) {
    Lattice line;
    line.nx_ = line.row_pitch_ = line.layer_pitch_ = sites;
    line.ny_ = line.nz_ = 1;
    line.origin_ = -1 - 2 * sites;  // site(0, 0, 0) is the first
    line.set_stride(sites);
    return line;
  }

  /// Rows of sites with a halo of one site all round, and no layers above one another.
  static Lattice plane(int nx, int ny) {
    Lattice plane(nx, ny, 1);
    plane.layer_pitch_ = 0;
    plane.set_stride(plane.origin_ + std::int64_t{plane.row_pitch_} * (ny + 2));
    return plane;
  }
  bool is_plane() const { return nz_ == 1 && layer_pitch_ == 0; }

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  int nz() const { return nz_; }
  /// From a value of a site to its next value.
  std::int64_t stride() const { return stride_; }
  /// Place of a site, with coordinates from -1 (halo) to nx, ny, nz.
  int site(int x, int y, int z) const { return origin_ + (x + 1) + (y + 1) * row_pitch_ + (z + 1) * layer_pitch_; }
  int row_pitch() const { return row_pitch_; }
  int layer_pitch() const { return layer_pitch_; }

  /// A box of sites from (x, y, z), with this many along each axis.
  Sites box(int x, int y, int z, int length, int rows, int layers) const {
    return {site(x, y, z), length, rows, layers, row_pitch_, layer_pitch_, static_cast<int>(stride_)};
  }
  Sites interior() const { return box(0, 0, 0, nx_, ny_, nz_); }

 private:
  /// Room for a chunk that begins at the last site; and an odd number of chunks, because otherwise all values of a site
  /// would share a few sets of a cache.
  void set_stride(std::int64_t end) { stride_ = (((end + longest_vvl - 1) / longest_vvl + 1) | 1) * longest_vvl; }

  int nx_ = 0, ny_ = 0, nz_ = 0;
  int row_pitch_ = 0, layer_pitch_ = 0, origin_ = 0;
  std::int64_t stride_ = 0;
};

}  // namespace boltzmark::target
