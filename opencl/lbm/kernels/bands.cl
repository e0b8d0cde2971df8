// Many steps in one launch on a processor: one work-group of one work-item per compute unit, which has a band of rows
// and advances them by several steps while they are in its cache. The order is that of common/cpu/wavefront.hpp: wave w
// does row w of step 0, row w-1 of step 1, and so on.
//
// RESIDENT: bands are parts of one ring of rows, and a sweep leans north, into the band of the next group. No work is
// repeated. Groups wait for one another by counts of waves done, so all must be resident at once:
//
//     group 1   begin ..        the first rows of each step: the southern group's, of the sweep before, must be done
//     group 0   ..   end - 1    the last rows of each step lie in the northern band, whose own first rows must be done
//
// Otherwise a launch ends where groups would wait, and a sweep is two launches. Bands have at least 2 * (DEPTH - 1)
// rows each, or there is only one. With a band of six rows and a depth of three the launches do
//
//               step 0   step 1   step 2
//     row end+1    .        .        2
//     row end      .        2        2
//     row end-1    1        2        2
//     row end-2    1        1        2
//     row end-3    1        1        1
//     row end-4    1        1        1
//     row end-5    1        1        .
//     row end-6    1        .        .       as rows end and end+1 here, these are left to the southern band
//
// The host defines NX, NY, ROW_VECTORS (n), ROW_PITCH (values from row to row), GROUPS and DEPTH (even); and with
// RESIDENT what waits.h wants.
#include "lanes.h"

#include "opencl/runtime/kernels/sum_steps.h"

/// A group's rows of the grid: first .. end-1.
struct Band {
  int group, first, end;
};

FN int first_row(int group) { return (int)((long)NY * group / GROUPS); }

FN struct Band band_of(int group) { return STRUCT(Band){group, first_row(group), first_row(group + 1)}; }

/// 0 <= result < NY, and equal to `row` modulo NY.
FN int in_ring(int row) {
  const int rest = row % NY;
  return rest < 0 ? rest + NY : rest;
}

FN global REAL* row_of(global SCALAR* populations, int row) {
  return (global REAL*)(populations + (long)in_ring(row) * ROW_PITCH);
}

/// Arguments of all row updates.
struct BandRows {
  global SCALAR* populations;
  global const uint* solid_bits; /* ROW_VECTORS words a row */
  global const int* stretches;
  global const int* first_stretches; /* of each row, or -1 where all is solid */
  int driven_row;
};

/// A step of a row, which is even or odd.
FN void step_row(struct BandRows rows, int row, bool is_odd, bool is_driven, struct Relaxation c,
                 struct LongSum* total) {
  const int y = in_ring(row);
  const int first_stretch = rows.first_stretches[y];
  if (first_stretch < 0) return;
  const struct LaneRows at = {
      {row_of(rows.populations, row - 1), row_of(rows.populations, row), row_of(rows.populations, row + 1)}};
  const struct Ahead ahead = {0, 0, 0};
  const struct SolidCells solid = {rows.solid_bits + (long)y * ROW_VECTORS, rows.stretches + first_stretch};
  is_driven = is_driven && y == rows.driven_row;
  if (is_odd)
    update_lane_row(at, solid, ahead, true, is_driven, c, total);
  else
    update_lane_row(at, solid, ahead, false, is_driven, c, total);
}

#ifdef RESIDENT
#include "waits.h"
#define SWEEP_WAVES (NY + 2 * DEPTH) /* more than a sweep has: progress is counted in sweeps of so many */
#define MEANS_TO_MEET volatile global int *progress, volatile global int *failures
#define IS_SECOND false
#else
#define MEANS_TO_MEET int is_second
#define IS_SECOND is_second /* the launch of a sweep's second half */
#endif

/// `steps` time steps, of which the first is odd if is_odd: any number with RESIDENT, else at most DEPTH. Global size:
/// GROUPS, of one item each. partial_sums gets a sum of |u| for each step and group from first_sum on; driven_row is
/// the row on which the body force acts, or -1; with is_end no force follows the last step. progress and *failures are
/// 0.
kernel GROUP_OF(1) void band_steps(int first_sum, int steps, int is_odd, int is_end, int driven_row,
                                   global SCALAR* populations, global const uint* solid_bits,
                                   global const int* stretches, global const int* first_stretches,
                                   global SCALAR* partial_sums, struct Relaxation c, MEANS_TO_MEET) {
  const struct Band band = band_of(get_group_id(0));
  const struct BandRows rows = {populations, solid_bits, stretches, first_stretches, driven_row};
  struct LongSum totals[DEPTH];
#ifdef RESIDENT
  const struct Band south = band_of((band.group + GROUPS - 1) % GROUPS);
  const int north = (band.group + 1) % GROUPS;
  int seen_south = 0, seen_north = 0;
#endif
  for (int first = 0; first < steps; first += DEPTH) {
    const int levels = min(DEPTH, steps - first), height = band.end - band.first, waves = height + 2 * (levels - 1);
#ifdef RESIDENT
    const int sweep = first / DEPTH, done_before = sweep * SWEEP_WAVES, first_wave = 0, end_wave = waves;
#else
    const int first_wave = is_second ? height : 0, end_wave = is_second ? waves : height;
#endif
    for (int level = 0; level < levels; ++level) totals[level] = STRUCT(LongSum){0, 0};
    for (int wave = first_wave; wave < end_wave; ++wave) {
#ifdef RESIDENT
      if (GROUPS > 1) {
        bool is_in_time = true;
        if (sweep > 0 && wave < DEPTH) {  // rows that the southern group did last in the previous sweep
          const int southern = south.end - south.first, there = southern + wave + DEPTH + 1;
          is_in_time =
              wait_for(progress, south.group, done_before - SWEEP_WAVES + min(there, southern + 2 * (DEPTH - 1)),
                       &seen_south, MAX_POLLS);
        }
        if (is_in_time && wave >= height)
          is_in_time = wait_for(progress, north, done_before + wave - height + 1, &seen_north, MAX_POLLS);
        if (!is_in_time) {
          atomic_xchg(failures, 1);
          report(progress, band.group, FAILED);
          return;
        }
      }
#endif
      const int lowest = wave < height ? 0 : (wave - height) / 2 + 1, highest = min(levels - 1, wave / 2);
      for (int level = lowest; level <= highest; ++level)
        step_row(rows, band.first + wave - level, (first + level + is_odd) % 2, !(is_end && first + level == steps - 1),
                 c, &totals[level]);
#ifdef RESIDENT
      if (GROUPS > 1) report(progress, band.group, done_before + wave + 1);
#endif
    }
    for (int level = 0; level < levels; ++level) {
      global SCALAR* const sum = partial_sums + first_sum + (first + level) * GROUPS + band.group;
      if (IS_SECOND)
        *sum += totals[level].sum * c.speed_unit;
      else
        *sum = totals[level].sum * c.speed_unit;
    }
  }
}
