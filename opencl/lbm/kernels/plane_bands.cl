// Many steps in one launch on a processor in three dimensions: one work-group of one work-item per compute unit, which
// has a block of rows of every plane. All advance through the planes together and share the planes in progress in their
// common cache. The order is that of common/lbm/cpu/plane_wavefront.hpp: plane z of step 0, plane z-1 of step 1, and so
// on; by tiles of rows, which lean one row north with every step, if whole planes do not fit in that cache.
//
// An item is a step of the rows that a group has in a plane. All groups do their items in the same order, so one count
// of items is enough to express progress:
//
//     a sweep's first item    the neighbouring groups have done the sweep before
//     every other one         they have done the previous item, the last of the three planes that this one needs
//     with tiles              only the first one is counted, and only rows next to the northern group wait, for that
//     group
//
// The host defines NX, NY, NZ, ROW_VECTORS (n), GROUPS, DEPTH (steps of a sweep), TILE (rows, 0 for none), ROW_PITCH
// and PLANE_PITCH (values), ROWS_AHEAD (rows from a prefetch to its use), WALLS if walls move, and the definitions for
// waits.h.
#include "lanes.h"

#include "waits.h"

#include "opencl/runtime/kernels/sum_steps.h"

#define SWEEP_ITEMS (NZ * DEPTH + 1) /* one more than a sweep has: progress is counted in sweeps of so many */
#define VECTOR_LINES ((int)(DIRECTIONS * sizeof(REAL) + 63) / 64)

FN int first_row(int group) { return (int)((long)NY * group / GROUPS); }

/// Numbers up to `count` beyond the ends, in the periodic grid.
FN int in_ring(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

/// Arguments of all row updates.
struct Planes {
  global SCALAR* populations;
  global const uint* solid_bits; /* ROW_VECTORS words a row */
  global const int* stretches;
  global const int* first_stretches; /* of each row, or -1 where all is solid */
  global const int* first_pushes;    /* of each row and behind the last one; what moving walls add */
  global const ulong* push_places;   /* after steps of even number, then of odd */
  global const SCALAR* pushes;
  int push_count, driven_row;
};

FN global REAL* row_at(struct Planes planes, int y, int z) {
  return (global REAL*)(planes.populations + (long)in_ring(z, NZ) * PLANE_PITCH + (long)in_ring(y, NY) * ROW_PITCH);
}

/// Places to prefetch: a row needed soon, and a part of a row of a later plane.
struct Later {
  int soon_y, soon_z, far_y, far_z, part, parts;
};

/// A step of row y of plane z, which is even or odd.
FN void step_row(struct Planes planes, int y, int z, bool is_odd, bool is_driven, struct Later later,
                 struct Relaxation c, struct LongSum* total) {
  const int number = z * NY + y, first_stretch = planes.first_stretches[number];
  if (first_stretch >= 0) {
    struct LaneRows rows;
    UNROLLED for (int k = 0; k < 9; ++k) rows.at[k] = row_at(planes, y + k % 3 - 1, z + k / 3 - 1);
    const struct SolidCells solid = {planes.solid_bits + (long)number * ROW_VECTORS, planes.stretches + first_stretch};
    struct Ahead ahead;
    ahead.soon = (global char*)row_at(planes, later.soon_y, later.soon_z) - (global char*)rows.at[4];
    ahead.far_lines = later.parts == 1 ? 0 : (VECTOR_LINES + later.parts - 1) / later.parts;
    ahead.far =
        (global const char*)row_at(planes, later.far_y, later.far_z) + 64l * ahead.far_lines * ROW_VECTORS * later.part;
    is_driven = is_driven && y == planes.driven_row;
    if (is_odd)
      update_lane_row(rows, solid, ahead, true, is_driven, c, total);
    else
      update_lane_row(rows, solid, ahead, false, is_driven, c, total);
  }
#ifdef WALLS
  const int step = is_odd ? planes.push_count : 0;
  for (int push = planes.first_pushes[number]; push < planes.first_pushes[number + 1]; ++push)
    planes.populations[planes.push_places[step + push]] += planes.pushes[push];
#endif
}

/// `steps` time steps, of which the first is odd if is_odd. Global size: GROUPS, of one item each. partial_sums gets a
/// sum of |u| for each step and group from first_sum on; driven_row is the row of every plane on which the body force
/// acts, or -1; with is_end no force follows the last step. progress and *failures are 0.
kernel GROUP_OF(1) void plane_steps(int first_sum, int steps, int is_odd, int is_end, int driven_row,
                                    global SCALAR* populations, global const uint* solid_bits,
                                    global const int* stretches, global const int* first_stretches,
                                    global SCALAR* partial_sums, struct Relaxation c, volatile global int* progress,
                                    volatile global int* failures, global const int* first_pushes,
                                    global const ulong* push_places, global const SCALAR* pushes, int push_count) {
  const int group = get_group_id(0), south = (group + GROUPS - 1) % GROUPS, north = (group + 1) % GROUPS;
  const int begin = first_row(group), rows = first_row(group + 1) - begin;
  const struct Planes planes = {populations, solid_bits, stretches,  first_stretches, first_pushes,
                                push_places, pushes,     push_count, driven_row};
  struct LongSum totals[DEPTH];
  int seen_south = 0, seen_north = 0;
  for (int first = 0; first < steps; first += DEPTH) {
    const int levels = min(DEPTH, steps - first), done_before = first / DEPTH * SWEEP_ITEMS;
    const int tiles_end = TILE == 0 ? rows : rows + 2 * (levels - 1);
    for (int level = 0; level < levels; ++level) totals[level] = STRUCT(LongSum){0, 0};
    for (int from = 0; from < tiles_end; from += TILE == 0 ? rows : TILE)
      for (int wave = 0, item = 0; wave < NZ + 2 * (levels - 1); ++wave) {
        const int lowest = wave < NZ ? 0 : (wave - NZ) / 2 + 1, highest = min(levels - 1, wave / 2);
        for (int level = lowest; level <= highest; ++level, ++item) {
          const int plane = wave - level, z = in_ring(plane, NZ), lean = TILE == 0 ? 0 : level;
          const int low = max(from, 2 * lean), high = TILE == 0 ? rows : min(from + TILE, rows + 2 * lean);
          if (GROUPS > 1) {
            bool is_in_time = true;
            const int wanted = done_before + (level == 0 ? 0 : item);
            if (TILE == 0 || level == 0 || high - level >= rows)
              is_in_time = wait_for(progress, north, wanted, &seen_north, MAX_POLLS);
            if (is_in_time && (TILE == 0 || level == 0))
              is_in_time = wait_for(progress, south, wanted, &seen_south, MAX_POLLS);
            if (!is_in_time) {
              atomic_xchg(failures, 1);
              report(progress, group, FAILED);
              return;
            }
          }
          // The next item: the next step one plane behind, or, after the last step, the first one, one plane further
          // on.
          const int next = in_ring(level + 1 < levels ? plane - 1 : in_ring(plane + level + 1, NZ), NZ);
          const int ahead_rows = min(ROWS_AHEAD, max(high - low, 1)), row_0 = begin - lean;
          for (int row = low; row < high; ++row) {
            const bool is_here = row + ahead_rows < high;
            const struct Later later = {
                in_ring(row_0 + (is_here ? row + ahead_rows : row + ahead_rows - high + low), NY),
                is_here ? z : next,
                in_ring(begin + row, NY),
                in_ring(in_ring(plane + level + 2, NZ), NZ),
                level,
                levels};
            step_row(planes, in_ring(row_0 + row, NY), z, (first + level + is_odd) % 2,
                     !(is_end && first + level == steps - 1), later, c, &totals[level]);
          }
          if (GROUPS > 1 && from == 0) report(progress, group, done_before + item + 1);
        }
      }
    if (GROUPS > 1) report(progress, group, done_before + SWEEP_ITEMS);
    for (int level = 0; level < levels; ++level)
      partial_sums[first_sum + (first + level) * GROUPS + group] = totals[level].sum * c.speed_unit;
  }
}
