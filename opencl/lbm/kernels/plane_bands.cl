// Many steps in one launch on a processor in three dimensions: a work-group for each compute unit, one work-item each,
// which has a block of rows of every plane. All go through the planes together and share those under way in the cache
// that they share. The order is that of common/lbm/cpu/plane_wavefront.hpp: plane z of step 0, plane z-1 of step 1, and
// so on; by tiles of rows, which lean a row north with every step, where that cache has no room for whole planes.
//
// An item is a step of the rows that a group has in a plane. All groups do theirs in the same order, so one count of
// items says how far each is:
//
//     a sweep's first item    the neighbouring groups have done the sweep before
//     every other one         they have done the item before, which is the last of the three planes that this one wants
//     with tiles              only the first one is counted, and only the northern group waited for, by rows next to it
//
// The host defines NX, NY, NZ, ROW_VECTORS (n), GROUPS, DEPTH (steps of a sweep), TILE (rows, 0 for none), ROW_PITCH
// and PLANE_PITCH (values), ROWS_AHEAD (rows from a prefetch to its use), WALLS where walls move, and what waits.h
// wants.
//
// Rows of planes (D3Q19) that one work-item of a processor updates in place, vector after vector: layout and access
// pattern of common/lbm/cpu/in_place_planes.hpp and plane_row_update.hpp, for OpenCL C.
//
//   one row:     | vector 0 | vector 1 | ... | vector n-1 | padding |
//   one vector:  | f0 of LANES cells | f1 of the same cells | ... | f18 |
//   its cells:   columns i, n+i, 2n+i ... for vector i of n
//
// So a vector's neighbours along the row are the next vectors, lane for lane. Past the ends of a row, lane i continues
// in lane i+1: west of the first vector is the last one, rotated by one lane. Nineteen vectors and what is made of them
// are more than there are registers, so populations are read twice, first for the moments, and written pair by pair.
#include "lanes.h"

#ifdef __x86_64__
/// Makes the compiler forget memory that it has read, and keep no address for each of nineteen places.
#define READ_AGAIN(offset) __asm__ volatile("" : "+r"(offset) : : "memory")
#else
#define READ_AGAIN(offset)
#endif

/// At which ends of its row a vector is.
enum { AT_NONE = 0, AT_WEST = 1, AT_EAST = 2, AT_BOTH = AT_WEST | AT_EAST };

/// Row y-1, y, y+1 of plane z-1, then of plane z, then of plane z+1.
struct PlaneRows {
  global REAL* at[9];
};

/// Prefetches during a row's update: the same places so many bytes further on, and lines for a later plane.
struct Ahead {
  long soon;
  global const char* far;
  int far_lines; /* for every vector */
};

/// Vectors from population i's place in the same vector of its row; is_local: of the cells themselves.
FN int steps_west(int i, bool is_local, int edge) {
  if (is_local || lattice_cx[i] == 0) return 0;
  if (lattice_cx[i] > 0) return edge & AT_WEST ? 1 - ROW_VECTORS : 1;
  return edge & AT_EAST ? ROW_VECTORS - 1 : -1;
}

/// Where population i arrives from, and its opposite goes. `offset`: bytes from the row's start to the vector.
FN global REAL* plane_place(struct PlaneRows rows, long offset, int i, bool is_local, int edge) {
  const int row = is_local ? 4 : 3 * (1 - lattice_cz[i]) + 1 - lattice_cy[i];
  return (global REAL*)((global char*)rows.at[row] + offset) +
         (is_local ? OPPOSITE(i) : i - steps_west(i, is_local, edge) * DIRECTIONS);
}

FN bool is_turned_up(int i, bool is_local, int edge) { return !is_local && lattice_cx[i] > 0 && (edge & AT_WEST) != 0; }
FN bool is_turned_down(int i, bool is_local, int edge) {
  return !is_local && lattice_cx[i] < 0 && (edge & AT_EAST) != 0;
}

FN REAL arrived_in(struct PlaneRows rows, long offset, int i, bool is_local, int edge) {
  const REAL value = *plane_place(rows, offset, i, is_local, edge);
  if (is_turned_up(i, is_local, edge)) return ONE_LANE_UP(value);
  if (is_turned_down(i, is_local, edge)) return ONE_LANE_DOWN(value);
  return value;
}

/// Puts what leaves against direction i where population i has arrived from.
FN void leave_in(struct PlaneRows rows, long offset, int i, bool is_local, int edge, REAL value) {
  if (is_turned_up(i, is_local, edge))
    value = ONE_LANE_DOWN(value);
  else if (is_turned_down(i, is_local, edge))
    value = ONE_LANE_UP(value);
  *plane_place(rows, offset, i, is_local, edge) = value;
}

#define ARRIVED(i) arrived_in(rows, offset, i, is_local, edge)

/// As moments_of(), with few values in registers at a time.
FN struct Moments moments_in(struct PlaneRows rows, long offset, bool is_local, int edge, struct Relaxation c) {
  const struct Diagonals xy = diagonals_of(ARRIVED(7), ARRIVED(8), ARRIVED(9), ARRIVED(10));
  const struct Diagonals xz = diagonals_of(ARRIVED(11), ARRIVED(12), ARRIVED(13), ARRIVED(14));
  const struct Diagonals yz = diagonals_of(ARRIVED(15), ARRIVED(16), ARRIVED(17), ARRIVED(18));
  const REAL east = ARRIVED(1), west = ARRIVED(2), north = ARRIVED(3), south = ARRIVED(4), top = ARRIVED(5),
             bottom = ARRIVED(6);
  const REAL on_axes = ((east + west) + (north + south)) + ((top + bottom) + ARRIVED(0));
  return moments_from(xy, xz, yz, on_axes, east - west, north - south, top - bottom, c);
}

/// update_cell() of cell.h without body force, pair by pair. is_mixed: some cells may be solid.
FN void finish_in(struct PlaneRows rows, long offset, struct Moments m, uint solid_bits, bool is_mixed, bool is_local,
                  int edge, struct Relaxation c, REAL* speeds) {
  const MASK solid = mask_from_bits(is_mixed ? solid_bits : 0);
  const struct Shared shared = shared_of(m, c);
  const REAL speed = scaled_speed_of(m);
  *speeds += is_mixed ? choose(solid, speed - speed, speed) : speed;
  const REAL rest = ARRIVED(0), kept = multiply_add(rest, c.keep, shared.rest);
  leave_in(rows, offset, 0, is_local, edge, is_mixed ? choose(solid, rest, kept) : kept);
  UNROLLED for (int pair = 0; pair < DIRECTIONS / 2; ++pair) {
    const int forth = 2 * pair + 1, back = forth + 1;
    const REAL a = ARRIVED(forth), b = ARRIVED(back);
    REAL to_forth, to_back;
    relax(pair, m, shared, c, &to_forth, &to_back);
    to_forth = multiply_add(a, c.keep, to_forth);
    to_back = multiply_add(b, c.keep, to_back);
    leave_in(rows, offset, back, is_local, edge, is_mixed ? choose(solid, b, to_forth) : to_forth);
    leave_in(rows, offset, forth, is_local, edge, is_mixed ? choose(solid, a, to_back) : to_back);
  }
}

/// The second half of a vector's update interleaved with the first half of the next one's, and prefetches.
FN void advance_in(struct PlaneRows rows, long* at, struct Moments* m, struct Ahead* ahead, uint solid_bits,
                   bool is_mixed, bool is_local, int edge, int next_edge, struct Relaxation c, REAL* speeds) {
  long offset = *at;
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i)
      FETCH((global char*)plane_place(rows, offset, i, is_local, AT_NONE) + ahead->soon);
  for (int line = 0; line < ahead->far_lines; ++line, ahead->far += 64) FETCH(ahead->far);
  const struct Moments next = moments_in(rows, offset + (long)(DIRECTIONS * sizeof(REAL)), is_local, next_edge, c);
  READ_AGAIN(offset);
  finish_in(rows, offset, *m, solid_bits, is_mixed, is_local, edge, c, speeds);
  *m = next;
  offset += DIRECTIONS * sizeof(REAL);
  READ_AGAIN(offset);
  *at = offset;
}

#undef ARRIVED

/// The body force of the next step, on what a step has left of a row.
FN void push_plane_row(struct PlaneRows rows, global const uint* solid, bool is_local, struct Relaxation c) {
  long offset = 0;
  for (int vector = 0; vector < ROW_VECTORS; ++vector, offset += DIRECTIONS * sizeof(REAL)) {
    const int edge = (vector == 0 ? AT_WEST : AT_NONE) | (vector == ROW_VECTORS - 1 ? AT_EAST : AT_NONE);
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[OPPOSITE(i)] = arrived_in(rows, offset, i, is_local, edge);
    a = accelerate(a, inverse(mask_from_bits(solid[vector])), c);
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) leave_in(rows, offset, i, is_local, edge, a.f[OPPOSITE(i)]);
  }
}

FN void turn_columns(struct PlaneRows rows, bool is_back) {
  UNROLLED for (int i = 1; i < DIRECTIONS; ++i)
      turn_column(rows.at[3 * (1 - lattice_cz[i]) + 1 - lattice_cy[i]], i, is_back);
}

/// A time step of a row; *total grows by the sum of |u|. is_local is a constant.
FN void update_plane_row(struct PlaneRows rows, struct SolidCells solid, struct Ahead ahead, bool is_local,
                         bool is_driven, struct Relaxation c, struct LongSum* total) {
  if (!is_local) turn_columns(rows, false);
  const int west = is_local ? AT_NONE : AT_WEST, east = is_local ? AT_NONE : AT_EAST;
  REAL speeds = 0;
  long at = 0;
#if ROW_VECTORS == 1
  const struct Moments m = moments_in(rows, at, is_local, is_local ? AT_NONE : AT_BOTH, c);
  READ_AGAIN(at);
  finish_in(rows, at, m, solid.bits[0], true, is_local, is_local ? AT_NONE : AT_BOTH, c, &speeds);
#else
  struct Moments m = moments_in(rows, at, is_local, west, c);
#if ROW_VECTORS == 2
  advance_in(rows, &at, &m, &ahead, solid.bits[0], true, is_local, west, east, c, &speeds);
#else
  int vector = is_local ? 0 : 1;
  const int last = is_local ? ROW_VECTORS - 1 : ROW_VECTORS - 2;
  if (!is_local) advance_in(rows, &at, &m, &ahead, solid.bits[0], true, is_local, west, AT_NONE, c, &speeds);
  for (global const int* stretch = solid.stretches; vector < last; stretch += 2) {
    for (const int end = min(last, stretch[0]); vector < end; ++vector, keep_short(vector, &speeds, total))
      advance_in(rows, &at, &m, &ahead, 0, false, is_local, AT_NONE, AT_NONE, c, &speeds);
    for (const int end = min(last, stretch[1]); vector < end; ++vector, keep_short(vector, &speeds, total))
      advance_in(rows, &at, &m, &ahead, solid.bits[vector], true, is_local, AT_NONE, AT_NONE, c, &speeds);
  }
  if (!is_local)
    advance_in(rows, &at, &m, &ahead, solid.bits[ROW_VECTORS - 2], true, is_local, AT_NONE, east, c, &speeds);
#endif
  finish_in(rows, at, m, solid.bits[ROW_VECTORS - 1], true, is_local, east, c, &speeds);
#endif
  add_to(total, sum_of_lanes(speeds));
  if (is_driven) push_plane_row(rows, solid.bits, is_local, c);
  if (!is_local) turn_columns(rows, true);
}

#include "waits.h"

#include "opencl/runtime/kernels/sum_steps.h"

#define SWEEP_ITEMS (NZ * DEPTH + 1) /* one more than a sweep has: progress is counted in sweeps of so many */
#define VECTOR_LINES ((int)(DIRECTIONS * sizeof(REAL) + 63) / 64)

FN int first_row(int group) { return (int)((long)NY * group / GROUPS); }

/// Numbers up to `count` beyond the ends, in the periodic grid.
FN int in_ring(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

/// What all rows are updated with.
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

/// Places that are fetched: a row that is wanted soon, and a part of one of a later plane.
struct Later {
  int soon_y, soon_z, far_y, far_z, part, parts;
};

/// A step of row y of plane z, which is even or odd.
FN void step_row(struct Planes planes, int y, int z, bool is_odd, bool is_driven, struct Later later,
                 struct Relaxation c, struct LongSum* total) {
  const int number = z * NY + y, first_stretch = planes.first_stretches[number];
  if (first_stretch >= 0) {
    struct PlaneRows rows;
    UNROLLED for (int k = 0; k < 9; ++k) rows.at[k] = row_at(planes, y + k % 3 - 1, z + k / 3 - 1);
    const struct SolidCells solid = {planes.solid_bits + (long)number * ROW_VECTORS, planes.stretches + first_stretch};
    struct Ahead ahead;
    ahead.soon = (global char*)row_at(planes, later.soon_y, later.soon_z) - (global char*)rows.at[4];
    ahead.far_lines = later.parts == 1 ? 0 : (VECTOR_LINES + later.parts - 1) / later.parts;
    ahead.far =
        (global const char*)row_at(planes, later.far_y, later.far_z) + 64l * ahead.far_lines * ROW_VECTORS * later.part;
    is_driven = is_driven && y == planes.driven_row;
    if (is_odd)
      update_plane_row(rows, solid, ahead, true, is_driven, c, total);
    else
      update_plane_row(rows, solid, ahead, false, is_driven, c, total);
  }
#ifdef WALLS
  const int step = is_odd ? planes.push_count : 0;
  for (int push = planes.first_pushes[number]; push < planes.first_pushes[number + 1]; ++push)
    planes.populations[planes.push_places[step + push]] += planes.pushes[push];
#endif
}

/// `steps` time steps, of which the first is odd where is_odd. Global size: GROUPS, of one item each. partial_sums gets
/// a sum of |u| for each step and group from first_sum on; driven_row is the row of every plane that the body force
/// acts on, or -1, and is_end says that none follows the last step. progress and *failures are 0.
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
          // What comes next: the next step a plane behind, or after the last the first one a plane further on.
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
