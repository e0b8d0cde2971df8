// Which rows of a device's strip each launch between two exchanges of halo rows updates.
//
// A strip of 8 rows with 4 halo rows at either end, exchanged before every 4 steps, in launches of one step:
//
//               halo        rows of the strip       halo
//   launch 0   [ . e e e ]  [ e e e e e e e e ]  [ e e e . ]     e: at the ends, which need halo rows
//   launch 1   [ . . e e ]  [ e e e e e e e e ]  [ e e . . ]
//   launch 2   [ . . . e ]  [ e e e e e e e e ]  [ e . . . ]
//   launch 3   [ . . . . ]  [ e e e e e e e e ]  [ . . . . ]
//
// and of 12 rows with 2:
//
//   launch 0       [ . e ]  [ e i i i i i i i i i i e ]  [ e . ]     i: inside, which need none
//   launch 1       [ . . ]  [ e e i i i i i i i i e e ]  [ . . ]
//
// Each launch does one row fewer at either end than the one before. A launch of the rows inside and one of the ends
// never touch what the other needs, because the rows inside begin a row further in each time.
#pragma once

#include <algorithm>
#include <vector>

#include "common/lbm/device/grid_layout.hpp"

namespace boltzmark::mpi {

using lbm::Bands;

/// A block of fewer launches, at the end of a run, does the last ones of the plan.
struct HaloPlan {
  int halo = 0;               ///< rows at either end, and steps between two exchanges; 0 without exchanges
  std::vector<Bands> inside;  ///< of each launch; none where the strip is too low
  std::vector<Bands> ends;    ///< of each launch: all other rows that it updates
  bool overlapped = false;    ///< the ends have a queue of their own, and run together with the next rows inside

  HaloPlan() = default;
  /// rows: of the strip. launches: between two exchanges, each of launch_steps steps.
  HaloPlan(int rows, int launches, int launch_steps, bool exchanges) : halo(exchanges ? launches * launch_steps : 0) {
    const bool has_inside = exchanges && rows > 2 * halo;
    for (int launch = 0; launch < launches; ++launch) {
      const int margin = launch_steps * (launch + 1), beyond = launches * launch_steps - margin;
      const int south = halo - beyond, at_end = beyond + margin;
      if (has_inside) {
        inside.push_back({.south = halo + margin, .south_rows = rows - 2 * margin, .north = 0, .north_rows = 0});
        ends.push_back({.south = south, .south_rows = at_end, .north = halo + rows - margin, .north_rows = at_end});
      } else {
        ends.push_back({.south = south, .south_rows = rows + 2 * beyond, .north = 0, .north_rows = 0});
      }
    }
    overlapped = has_inside && launches == 1;
  }

  int launches() const { return static_cast<int>(ends.size()); }
  bool has_inside() const { return !inside.empty(); }
};

}  // namespace boltzmark::mpi
