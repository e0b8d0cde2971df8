// All steps in one launch on tiles in registers, for devices with warps. As in tiles.cl a work-group keeps its tile and
// DEPTH layers of cells around it, advances all of these by DEPTH steps, and then fetches the layers again:
//
//      lane 0              31
//     +----------------------+
//     | . . . . . . . . . .  | warp 1
//     | . . . . . . . . . .  |
//     +----------------------+
//     | . . . . . . . . . .  | warp 0
//     | . . . . . . . . . .  |        (ROWS = 2, WARPS = 2)
//     +----------------------+
//
// A lane has a column of the region, a warp ROWS rows of it. Populations moving along a row come from the next lane
// through registers, those moving within a lane's column are there already, and only those crossing between warps pass
// through local memory (`edges`).
//
// Each step invalidates one more layer from the outside; a warp without a valid row is idle.
//
// Layers travel from group to group in words with tags (mailbox.h). There are two alternating boxes, each with four
// words per cell for populations 1 to 4, four for 5 to 8, and one for 0. In a box a tile's rows begin at multiples of
// PITCH, so that no sector of memory belongs to two groups.
//
// The host defines TILE_X x TILE_Y, the largest tile (tiles differ by one cell if the grid does not divide evenly),
// GROUPS_X x GROUPS_Y of them, DEPTH, ROWS and WARPS; TILE_X + 2 DEPTH is at most 32, TILE_Y + 2 DEPTH at most ROWS *
// WARPS.
#include "mailbox.h"

#include "plain.h"

#include "rebound.h"

#include "opencl/runtime/kernels/sum_steps.h"

#define ITEMS (WARPS * WARP)
#define GROUPS (GROUPS_X * GROUPS_Y)
#define PITCH ((TILE_X + 7) / 8 * 8)
#define BOX_CELLS ((size_t)NY * GROUPS_X * PITCH)
#define CROSSINGS 6 /* populations 2, 5, 6 of a warp's top row, 4, 7, 8 of its lowest */

/// Facts about a work-item's column. Bit j of a mask is the cell in its row j.
struct Column {
  int lane, warp;
  uint solid, own, counted;    /* solid cells, cells of the tile, those of them that are fluid */
  uint seen, foreign;          /* of the tile and of a layer of another one; of this tile's layers */
  uint driven;                 /* by the body force */
  int steps;                   /* of a round in which a row of this warp is updated */
  int place[ROWS], slot[ROWS]; /* of the cell in the grid, and in a box */
};

/// All bits set if the lowest one of `bits` is set, else 0.
FN uint all_bits(uint bits) { return 0u - (bits & 1); }

/// Start of piece number i of n along an axis of the grid, and the piece to which a cell belongs.
FN int begin_of(int i, int cells, int n) { return (int)((long)i * cells / n); }
FN int piece_of(int at, int cells, int n) {
  int i = (int)((long)at * n / cells);
  while (begin_of(i + 1, cells, n) <= at) ++i;
  return i;
}

FN struct Column describe(global const uint* solid_bits) {
  const int tile_x = get_group_id(0) % GROUPS_X, tile_y = get_group_id(0) / GROUPS_X;
  const int x0 = begin_of(tile_x, NX, GROUPS_X), width = begin_of(tile_x + 1, NX, GROUPS_X) - x0;
  const int y0 = begin_of(tile_y, NY, GROUPS_Y), height = begin_of(tile_y + 1, NY, GROUPS_Y) - y0;
  struct Column at = {.lane = get_local_id(0) % WARP, .warp = get_local_id(0) / WARP};
  const int x = wrapped(x0 + at.lane - DEPTH, NX);
  const int owner = piece_of(x, NX, GROUPS_X);
  const int from_sides = min(at.lane, width + 2 * DEPTH - 1 - at.lane);
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    const int row = at.warp * ROWS + j, y = wrapped(y0 + row - DEPTH, NY);
    const int from_ends = min(row, height + 2 * DEPTH - 1 - row), distance = min(from_sides, from_ends);
    const uint bit = 1u << j;
    at.place[j] = y * NX + x;
    at.slot[j] = (y * GROUPS_X + owner) * PITCH + x - begin_of(owner, NX, GROUPS_X);
    if (is_solid(solid_bits, x, y)) at.solid |= bit;
    if (distance >= DEPTH) at.own |= bit;
    if (distance >= DEPTH && distance < 2 * DEPTH) at.seen |= bit;
    if (distance >= 0 && distance < DEPTH) at.foreign |= bit;
    if (y == DRIVEN_ROW) at.driven |= bit;
    at.steps = max(at.steps, from_ends);
  }
  at.counted = at.own & ~at.solid;
  return at;
}

/// Places of one kind of crossing: for a warp's lanes and one beyond either end, with arbitrary values.
#define EDGE (WARP + 2)
#define EDGE_BOX (WARPS * CROSSINGS * EDGE)

/// Stores the populations crossing into the warps above and below. `edges`: this lane's first place.
FN void leave_edges(const struct Populations* f, local float* edges) {
  edges[0 * EDGE] = f[ROWS - 1].f[2], edges[1 * EDGE] = f[ROWS - 1].f[5], edges[2 * EDGE] = f[ROWS - 1].f[6];
  edges[3 * EDGE] = f[0].f[4], edges[4 * EDGE] = f[0].f[7], edges[5 * EDGE] = f[0].f[8];
}

/// From the populations leaving the cells of this column to those arriving there. `below` and `above`: this lane's
/// first places among the edges of the warps there.
FN void move(struct Populations* f, local const float* below, local const float* above) {
  struct Populations a[ROWS];
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    a[j].f[0] = f[j].f[0];
    a[j].f[1] = value_of_lane_before(f[j].f[1]);
    a[j].f[3] = value_of_next_lane(f[j].f[3]);
    if (j == 0) {
      a[j].f[2] = below[0 * EDGE], a[j].f[5] = below[1 * EDGE - 1], a[j].f[6] = below[2 * EDGE + 1];
    } else {
      a[j].f[2] = f[j - 1].f[2];
      a[j].f[5] = value_of_lane_before(f[j - 1].f[5]);
      a[j].f[6] = value_of_next_lane(f[j - 1].f[6]);
    }
    if (j == ROWS - 1) {
      a[j].f[4] = above[3 * EDGE], a[j].f[7] = above[4 * EDGE + 1], a[j].f[8] = above[5 * EDGE - 1];
    } else {
      a[j].f[4] = f[j + 1].f[4];
      a[j].f[7] = value_of_next_lane(f[j + 1].f[7]);
      a[j].f[8] = value_of_lane_before(f[j + 1].f[8]);
    }
  }
  UNROLLED for (int j = 0; j < ROWS; ++j) f[j] = a[j];
}

/// Collision and rebound of all cells; returns the sum of |u| over the counted ones. It has no branch, so that the rows
/// are processed at the same time.
FN float relax(struct Populations* f, struct Column at, bool has_solid, struct Relaxation c) {
  float speeds = 0;
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    const struct Moments m = moments_of(f[j], c);
    const float speed = as_float(as_uint(scaled_speed_of(m)) & all_bits(at.counted >> j));
    speeds = j == 0 ? speed : speeds + speed;
    f[j] = has_solid ? collide_or_bounce(f[j], m, at.solid & (1u << j), c) : collide(f[j], m, c);
  }
  return speeds;
}

/// This lane's first places among the edges: of its own warp, and of those below and above.
struct Edges {
  local float *own, *below, *above;
};

/// Contents of a warp's rows, which determine the work of its steps.
enum Kind { only_fluid, some_solid, some_driven };

/// One step: from the edges in box `from`, 0 or 1, to those in the other; with body force where `is_driven`.
FN void advance(struct Populations* f, struct Column at, struct Edges edges, int from, local float* speeds,
                enum Kind kind, bool is_driven, struct Relaxation c) {
  move(f, edges.below + from * EDGE_BOX, edges.above + from * EDGE_BOX);
  *speeds = relax(f, at, kind != only_fluid, c);
  if (kind == some_driven)
    UNROLLED for (int j = 0; j < ROWS; ++j) f[j] = accelerate(f[j], is_driven && (at.driven & ~at.solid) >> j & 1, c);
  leave_edges(f, edges.own + (1 - from) * EDGE_BOX);
}

/// Posts the cells in layers of other tiles, at the end of a round.
FN void post(const struct Populations* f, struct Column at, global uint* box, uint tag) {
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    if (!(at.seen >> j & 1)) continue;
    const struct Populations a = f[j];
    store_four(box + 4 * at.slot[j], VECTOR(float4)(a.f[1], a.f[2], a.f[3], a.f[4]), tag);
    store_four(box + 4 * (BOX_CELLS + at.slot[j]), VECTOR(float4)(a.f[5], a.f[6], a.f[7], a.f[8]), tag);
    post_word(box + 8 * BOX_CELLS + at.slot[j], a.f[0], tag);
  }
}

/// A cell in a box.
struct Message {
  uint4 axes, diagonals;
  uint rest;
};

FN struct Message load_message(global uint* box, int slot) {
  return STRUCT(Message){load_four(box + 4 * slot), load_four(box + 4 * (BOX_CELLS + slot)),
                         load_flag(box + 8 * BOX_CELLS + slot)};
}

FN bool has_arrived(struct Message message, uint tag) {
  const uint4 wrong = (message.axes ^ tag) | (message.diagonals ^ tag);
  return !((wrong.x | wrong.y | wrong.z | wrong.w | (message.rest ^ tag)) & TAG_BIT);
}

/// Reads the layers around the tile that other groups have posted. True if a wait has timed out. All messages are
/// polled once before the first wait.
FN bool fetch(struct Populations* f, struct Column at, global uint* box, uint tag, bool timed_out) {
  struct Message messages[ROWS];
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    if (at.foreign >> j & 1) messages[j] = load_message(box, at.slot[j]);
  }
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    if (!(at.foreign >> j & 1)) continue;
    struct Message message = messages[j];
    for (int polls = 0; !has_arrived(message, tag) && !timed_out; ++polls) {
      timed_out = polls >= MAX_POLLS;
      message = load_message(box, at.slot[j]);
    }
    const uint4 axes = message.axes, diagonals = message.diagonals;
    f[j] = STRUCT(Populations){{value_in(message.rest), value_in(axes.x), value_in(axes.y), value_in(axes.z),
                                value_in(axes.w), value_in(diagonals.x), value_in(diagonals.y), value_in(diagonals.z),
                                value_in(diagonals.w)}};
  }
  return timed_out;
}

/// Sums each step's `speeds` over the group and stores the results of the launch.
FN void leave_speeds(local float (*speeds)[ITEMS], struct Column at, int count, global float* sums, float unit) {
  for (int step = at.warp; step < count; step += WARPS) {
    float sum = 0;
    UNROLLED for (int w = 0; w < WARPS; ++w) sum += speeds[step][w * WARP + at.lane];
    sum = warp_sum(sum);
    if (at.lane == 0) sums[step * GROUPS] = sum * unit;
  }
}

/// All rounds; true if a wait timed out. Warps of each kind run a separate copy of the code, without branches in a
/// step, and meet at the barriers, because all others wait for the slowest warp of the grid.
FN bool do_rounds(struct Populations* f, struct Column at, struct Edges edges, local float (*speeds)[ITEMS], int steps,
                  int undriven_step, global float* sums, global uint* mailbox, enum Kind kind, struct Relaxation c) {
  bool timed_out = false;
  for (int done = 0, round = 0;; done += DEPTH, ++round) {
    const int count = min(DEPTH, steps - done), active = min(count, at.steps);
    leave_edges(f, edges.own);
    local float* my_speeds = speeds[0] + get_local_id(0);
#pragma unroll 1
    for (int step = 0; step < count; step += 2, my_speeds += 2 * ITEMS) {
      group_barrier();
      if (step < active) advance(f, at, edges, 0, my_speeds, kind, done + step != undriven_step, c);
      if (step + 1 == count) break;
      group_barrier();
      if (step + 1 < active) advance(f, at, edges, 1, my_speeds + ITEMS, kind, done + step + 1 != undriven_step, c);
    }
    global uint* const box = mailbox + (round % 2) * 9 * BOX_CELLS;
    const bool is_last = done + DEPTH >= steps;
    if (!is_last) post(f, at, box, tag_of(round));
    const uint posted = ticks();
    group_barrier();
    leave_speeds(speeds, at, count, sums + done * GROUPS, c.speed_unit);
    if (is_last) return timed_out;
    give_head_start(posted);
    timed_out = fetch(f, at, box, tag_of(round), timed_out);
  }
}

LARGE_LOCAL_BYTES(warp_tile_steps, sizeof(float) * 2 * EDGE_BOX)

/// `steps` time steps; see tiles.cl.
kernel GROUP_OF(ITEMS) void warp_tile_steps(int first_sum, int steps, int is_end, global const SCALAR* restrict source,
                                            global SCALAR* restrict target, global const uint* restrict solid_bits,
                                            global SCALAR* restrict partial_sums, struct Relaxation c,
                                            global uint* mailbox, global int* failures) {
  LARGE_LOCAL_ARRAY(float, all_edges, [2 * EDGE_BOX]);
  LOCAL_VARIABLE float speeds[DEPTH][ITEMS];
  const int item = get_local_id(0);
  const struct Column at = describe(solid_bits);
  struct Edges edges;
  edges.own = all_edges + at.warp * CROSSINGS * EDGE + 1 + at.lane;
  edges.below = at.warp == 0 ? edges.own : edges.own - CROSSINGS * EDGE;
  edges.above = at.warp == WARPS - 1 ? edges.own : edges.own + CROSSINGS * EDGE;
  // Otherwise they would be recomputed in each step.
  OPAQUE_LOCAL(edges.own);
  OPAQUE_LOCAL(edges.below);
  OPAQUE_LOCAL(edges.above);
  struct Populations f[ROWS];
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    UNROLLED for (int i = 0; i < 9; ++i) f[j].f[i] = source[i * CELLS + at.place[j]];
  }
  for (int step = 0; step < DEPTH; ++step) speeds[step][item] = 0;

  const int undriven_step = is_end ? steps - 1 : -1;  // without the body force of the next
  global float* const sums = partial_sums + first_sum + get_group_id(0);
  const bool timed_out =
      any_lane(at.driven)  ? do_rounds(f, at, edges, speeds, steps, undriven_step, sums, mailbox, some_driven, c)
      : any_lane(at.solid) ? do_rounds(f, at, edges, speeds, steps, undriven_step, sums, mailbox, some_solid, c)
                           : do_rounds(f, at, edges, speeds, steps, undriven_step, sums, mailbox, only_fluid, c);
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    if (!(at.own >> j & 1)) continue;
    UNROLLED for (int i = 0; i < 9; ++i) target[i * CELLS + at.place[j]] = f[j].f[i];
  }
  if (timed_out) failures[0] = 1;
}
