// The rows of a device's strip that each launch between two exchanges of halo rows updates.
#pragma once

#include <vector>

#include "common/device/bands.h"

namespace boltzmark::device {

/// A strip of 8 rows with 4 halo rows at either end, exchanged before every 4 steps, in launches of one step:
///
///               halo        rows of the strip       halo
///   launch 0   [ . e e e ]  [ e e e e e e e e ]  [ e e e . ]     e: at the ends, which need halo rows
///   launch 1   [ . . e e ]  [ e e e e e e e e ]  [ e e . . ]
///   launch 2   [ . . . e ]  [ e e e e e e e e ]  [ e . . . ]
///   launch 3   [ . . . . ]  [ e e e e e e e e ]  [ . . . . ]
///
/// and of 12 rows with 2:
///
///   launch 0       [ . e ]  [ e i i i i i i i i i i e ]  [ e . ]     i: inside, which need none
///   launch 1       [ . . ]  [ e e i i i i i i i i e e ]  [ . . ]
///
/// Each launch does one row fewer at either end than the one before. A launch of the rows inside and one of the ends
/// never touch rows that the other needs, because the rows inside begin one row further in each time. An end without a
/// neighbour has no halo rows; there the rows inside extend to the border.
///
/// A shorter block at the end of a run does the last launches of the plan.
struct HaloPlan {
  int launch_steps = 1;                ///< of one launch
  int halo = 0;                        ///< steps between two exchanges, 0 without exchanges
  int south_halo = 0, north_halo = 0;  ///< rows at either end: as many, or 0 without a neighbour
  std::vector<Bands> inside;           ///< of each launch; empty if the strip is too low
  std::vector<Bands> ends;             ///< of each launch: all other rows that it updates
  bool is_sent_by_launches = false;    ///< but for the first exchange, see HaloStrip::let_launches_send

  HaloPlan() = default;
  /// One launch of all rows between two exchanges, which the launch makes itself.
  static HaloPlan of_sending_launches(int rows, int steps_a_launch) {
    HaloPlan plan(1, 1, steps_a_launch, true, true);
    plan.ends.front().south_rows = rows;
    plan.is_sent_by_launches = true;
    return plan;
  }
  /// rows: of the strip. launches: between two exchanges. has_south, has_north: a neighbour.
  HaloPlan(int rows, int launches, int steps_a_launch, bool has_south, bool has_north)
      : launch_steps(steps_a_launch),
        halo(has_south || has_north ? launches * launch_steps : 0),
        south_halo(has_south ? halo : 0),
        north_halo(has_north ? halo : 0) {
    const bool with_inside = halo > 0 && rows > south_halo + north_halo;
    for (int launch = 0; launch < launches; ++launch) {
      const int margin = launch_steps * (launch + 1), beyond = halo - margin;
      const int south_margin = has_south ? margin : 0, north_margin = has_north ? margin : 0;
      const int south_beyond = has_south ? beyond : 0, north_beyond = has_north ? beyond : 0;
      const int south = south_halo - south_beyond;
      if (with_inside) {
        inside.push_back({.south = south_halo + south_margin,
                          .south_rows = rows - south_margin - north_margin,
                          .north = 0,
                          .north_rows = 0});
        ends.push_back({.south = south,
                        .south_rows = south_beyond + south_margin,
                        .north = south_halo + rows - north_margin,
                        .north_rows = north_margin + north_beyond});
      } else {
        ends.push_back({.south = south, .south_rows = rows + south_beyond + north_beyond, .north = 0, .north_rows = 0});
      }
    }
  }

  int launches() const { return static_cast<int>(ends.size()); }
  bool has_inside() const { return !inside.empty(); }
  /// The ends have a separate queue, and run concurrently with the next rows inside.
  bool is_overlapped() const { return has_inside() && launches() == 1; }
  /// The launches of a step, by number (StripLaunch), each with the largest number of rows that it updates.
  std::vector<Bands> largest() const {
    if (!has_inside()) return {ends.front()};
    return {inside.front(), ends.front()};
  }
};

}  // namespace boltzmark::device
