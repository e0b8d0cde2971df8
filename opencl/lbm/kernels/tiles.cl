// Many steps in one launch, on tiles in local memory. A work-group keeps its tile and DEPTH layers of cells around it:
//
//     +---------------------+
//     | 1 1 1 1 1 1 1 1 1 1 |
//     | 1 2 2 2 2 2 2 2 2 1 |
//     | 1 2 . . . . . . 2 1 |
//     | 1 2 . .tile . . 2 1 |
//     | 1 2 . . . . . . 2 1 |
//     | 1 2 2 2 2 2 2 2 2 1 |
//     | 1 1 1 1 1 1 1 1 1 1 |
//     +---------------------+
//
//     (DEPTH = 2; a number: the last step in which the cell is still invalid)
//
// Each step invalidates one more layer, as nothing arrives from beyond the edge: step s updates the cells whose
// distance from the edge is at least s. After DEPTH steps the tile itself is still valid, and the layers are fetched
// again.
//
// With PERSISTENT a launch does any number of such rounds, and the groups exchange their layers through `mailbox`
// (mailbox.h); all groups must then be resident. Without it a launch does one round.
//
// Steps are in place (see in_place.cl): the first of a round is a neighbour step, the second a local one, and so on, so
// solid cells are skipped. Populations 1 to 8 are in local memory, 0 in registers.
//
// The host defines TILE_X x TILE_Y, the largest tile (tiles differ by one cell if the grid does not divide evenly),
// GROUPS_X x GROUPS_Y of them, DEPTH (even) and ITEMS, the work-items of a group.
#include "plain.h"

#include "opencl/runtime/kernels/sum_steps.h"
#ifdef PERSISTENT
#include "mailbox.h"
#endif

#define REGION_X (TILE_X + 2 * DEPTH)
#define REGION_Y (TILE_Y + 2 * DEPTH)
#define REGION (REGION_X * REGION_Y)
#define CELLS_AN_ITEM ((REGION + ITEMS - 1) / ITEMS)

/// Place of population i, from 1 on, of the region's cell p, and the distance to its destination.
#define AT(i, p) (((i)-1) * REGION + (p))
#define STEP(i) (lattice_cy[i] * REGION_X + lattice_cx[i])

/// Place from which population i of cell p arrives, and to which its opposite goes: in a local step the cell itself.
FN int place(int i, int p, bool is_local) { return is_local ? AT(OPPOSITE(i), p) : AT(i, p - STEP(i)); }

FN struct Populations arrived(local const SCALAR* f, int p, SCALAR rest, bool is_local) {
  struct Populations a;
  a.f[0] = rest;
  UNROLLED for (int i = 1; i < 9; ++i) a.f[i] = f[place(i, p, is_local)];
  return a;
}

/// Populations that leave cell p, and those that left it in such a step.
FN void leave(struct Populations a, local SCALAR* f, int p, bool is_local) {
  UNROLLED for (int i = 1; i < 9; ++i) f[place(OPPOSITE(i), p, is_local)] = a.f[i];
}
FN struct Populations left(local const SCALAR* f, int p, SCALAR rest, bool is_local) {
  return bounce_back(arrived(f, p, rest, is_local));
}

/// A cell of the region, for its work-item.
struct Cell {
  int place;    /* in the grid */
  int distance; /* from the region's edge, -1 where it is a solid cell or no cell */
  bool is_mine; /* of the tile itself */
  bool is_seen; /* of the tile, and of a layer of another one */
  bool is_theirs;
  bool is_driven; /* by the body force */
  SCALAR rest;    /* population 0 */
};

/// Cell number p of the region of tile (tile_x, tile_y).
FN struct Cell describe(int p, int tile_x, int tile_y, global const uint* solid_bits) {
  const int x0 = (int)((long)tile_x * NX / GROUPS_X), width = (int)((tile_x + 1L) * NX / GROUPS_X) - x0;
  const int y0 = (int)((long)tile_y * NY / GROUPS_Y), height = (int)((tile_y + 1L) * NY / GROUPS_Y) - y0;
  const int column = p % REGION_X, row = p / REGION_X;
  const int from_sides = min(column, width + 2 * DEPTH - 1 - column);
  const int distance = p < REGION ? min(from_sides, min(row, height + 2 * DEPTH - 1 - row)) : -1;
  const int x = wrapped(x0 + column - DEPTH, NX), y = wrapped(y0 + row - DEPTH, NY);
  struct Cell cell;
  cell.place = y * NX + x;
  cell.is_mine = distance >= DEPTH;
  cell.is_seen = cell.is_mine && distance < 2 * DEPTH;
  cell.is_theirs = distance >= 0 && !cell.is_mine;
  cell.is_driven = y == DRIVEN_ROW;
  cell.distance = is_solid(solid_bits, x, y) ? -1 : distance;
  cell.rest = 0;
  return cell;
}

/// Step number `step` of a round, counted from 0: a local step if `is_local`, as for odd ones. Returns the sum of |u|
/// over this item's cells of the tile.
FN SCALAR update(struct Cell* cells, local SCALAR* f, int step, bool is_local, bool is_driven, struct Relaxation c) {
  SCALAR speeds = 0;
  UNROLLED for (int n = 0; n < CELLS_AN_ITEM; ++n) {
    const int p = get_local_id(0) + n * ITEMS;
    if (cells[n].distance <= step) continue;
    struct Populations a = arrived(f, p, cells[n].rest, is_local);
    const struct Moments m = moments_of(a, c);
    a = collide(a, m, c);
    if (is_driven && cells[n].is_driven) a = accelerate(a, 1, c);
    if (cells[n].is_mine) speeds += scaled_speed_of(m);
    cells[n].rest = a.f[0];
    leave(a, f, p, is_local);
  }
  return speeds;
}

/// Stores the sums of the items' `speeds`, step by step. Must follow a barrier.
FN void leave_speeds(local const SCALAR* speeds, int count, global SCALAR* sums, SCALAR unit) {
  for (int step = get_local_id(0); step < count; step += ITEMS) {
    SCALAR sum = 0;
    for (int i = 0; i < ITEMS; ++i) sum += speeds[step * ITEMS + i];
    sums[step * (GROUPS_X * GROUPS_Y)] = sum * unit;
  }
}

#ifdef PERSISTENT

/// Posts the cells that other tiles need, at the end of a round. Each work-item posts its own.
FN void post(struct Cell* cells, local const SCALAR* f, global uint* mailbox, uint tag) {
  UNROLLED for (int n = 0; n < CELLS_AN_ITEM; ++n) {
    if (!cells[n].is_seen) continue;
    const struct Populations a = left(f, get_local_id(0) + n * ITEMS, cells[n].rest, true);
    UNROLLED for (int i = 0; i < 9; ++i) post_word(mailbox + i * CELLS + cells[n].place, a.f[i], tag);
  }
}

/// Reads the layers around the tile that other groups have posted. True if a wait has timed out.
FN bool fetch(struct Cell* cells, local SCALAR* f, global uint* mailbox, uint tag, bool timed_out) {
  UNROLLED for (int n = 0; n < CELLS_AN_ITEM; ++n) {
    if (!cells[n].is_theirs) continue;
    uint words[9];
    for (int polls = 0;; ++polls) {
      uint wrong = 0;
      UNROLLED for (int i = 0; i < 9; ++i) words[i] = load_flag(mailbox + i * CELLS + cells[n].place);
      UNROLLED for (int i = 0; i < 9; ++i) wrong |= words[i] ^ tag;
      if (!(wrong & TAG_BIT) || timed_out) break;
      timed_out = polls >= MAX_POLLS;
    }
    cells[n].rest = value_in(words[0]);
    UNROLLED for (int i = 1; i < 9; ++i) f[AT(i, get_local_id(0) + n * ITEMS)] = value_in(words[i]);
  }
  return timed_out;
}

#endif

/// `steps` time steps from `source` to `target`; without PERSISTENT at most DEPTH. `partial_sums` gets one sum of |u|
/// per step and group, from `first_sum` on. The body force of the next step is part of each step, except the last one
/// if `is_end`. `mailbox`: see mailbox.h; `failures` becomes 1 if a wait timed out.
kernel GROUP_OF(ITEMS) void tile_steps(int first_sum, int steps, int is_end, global const STORED* restrict source,
                                       global STORED* restrict target, global const uint* restrict solid_bits,
                                       global SCALAR* restrict partial_sums, struct Relaxation c
#ifdef PERSISTENT
                                       ,
                                       global uint* mailbox, global int* failures
#endif
) {
  LOCAL_VARIABLE SCALAR f[8 * REGION];
  LOCAL_VARIABLE SCALAR speeds[DEPTH * ITEMS];
  const int item = get_local_id(0), group = get_group_id(0);
  struct Cell cells[CELLS_AN_ITEM];
  UNROLLED for (int n = 0; n < CELLS_AN_ITEM; ++n) {
    const int p = item + n * ITEMS;
    cells[n] = describe(p, group % GROUPS_X, group / GROUPS_X, solid_bits);
    cells[n].rest = LOAD_ONE(source + cells[n].place);
    if (p < REGION) UNROLLED for (int i = 1; i < 9; ++i) f[AT(i, p)] = LOAD_ONE(source + i * CELLS + cells[n].place);
  }
#ifdef PERSISTENT
  bool timed_out = false;
#endif
  for (int done = 0, round = 0; done < steps; done += DEPTH, ++round) {
    const int count = min(DEPTH, steps - done);
    const int undriven = is_end ? steps - 1 - done : DEPTH;  // the step without body force
#pragma unroll 1
    for (int step = 0; step < count; step += 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      speeds[step * ITEMS + item] = update(cells, f, step, false, step != undriven, c);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (step + 1 < count)
        speeds[(step + 1) * ITEMS + item] = update(cells, f, step + 1, true, step + 1 != undriven, c);
    }
#ifdef PERSISTENT
    global uint* const box = mailbox + (round % 2) * 9 * CELLS;
    const bool is_last = done + DEPTH >= steps;
    if (!is_last) post(cells, f, box, tag_of(round));
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    leave_speeds(speeds, count, partial_sums + first_sum + done * (GROUPS_X * GROUPS_Y) + group, c.speed_unit);
#ifdef PERSISTENT
    if (is_last) continue;
    timed_out = fetch(cells, f, box, tag_of(round), timed_out);
#endif
  }
  UNROLLED for (int n = 0; n < CELLS_AN_ITEM; ++n) {
    const int p = item + n * ITEMS;
    if (!cells[n].is_mine) continue;
    const struct Populations a = dithered(left(f, p, cells[n].rest, steps % 2 == 0));
    UNROLLED for (int i = 0; i < 9; ++i) STORE(a.f[i], target + i * CELLS + cells[n].place);
  }
#ifdef PERSISTENT
  if (timed_out) failures[0] = 1;
#endif
}
