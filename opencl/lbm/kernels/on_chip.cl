// All steps in one launch with the whole grid on the chip, in local memory and registers: for grids that are too large
// for tiles with layers around them (tiles.cl). NVIDIA devices, single precision.
//
// A warp owns 64 columns x ROWS rows, two columns per lane; WARPS of them on top of each other are a group's tile.
// Populations 0 to 5 of a lane's cells are in the lane's slots in local memory, 6 to 8 in registers. A step proceeds up
// the rows and gets the neighbours of each cell
//
//     in the warp                from the next lane, through registers
//     in the warp above, below   from local memory
//     in another tile            from `mailbox` (mailbox.h), posted by that tile in the step before
//
// Messages are in two alternating boxes of two parts each. In the first part every cell of a tile's first and last
// column has four words: populations arriving from the side straight, from the south and from the north, and a spare.
// In the second part every row of tiles has three rows of words for populations moving up into it (2, 5, 6), and three
// for those moving down (4, 7, 8).
//
// The host defines ROWS (at most 16) and WARPS; NX is a multiple of 64 and NY one of ROWS * WARPS.
#include "mailbox.h"

#include "plain.h"

#include "rebound.h"

#include "opencl/runtime/kernels/sum_steps.h"

#define ITEMS (WARPS * WARP)
#define SLOTS 6 /* populations that lie in local memory */
#define TILE_X 64
#define TILE_Y (ROWS * WARPS)
#define TILES_X (NX / TILE_X)
#define TILES_Y (NY / TILE_Y)
#define SIDE_WORDS (2 * TILES_X * NY * 4)
#define BOX_WORDS (SIDE_WORDS + 2 * TILES_Y * 3 * NX)

/// The populations of two neighbouring cells of a row.
struct Pair {
  float2 f[9];
};

/// Populations moving up or down across an edge: straight, and along the two diagonals.
struct HaloCells {
  float2 straight, eastward, westward;
};

/// Facts about a work-item's place.
struct Place {
  int item, lane, warp, tile_x, tile_y, x, first_row;
};

FN struct Place find_place(void) {
  struct Place at;
  at.item = get_local_id(0);
  at.lane = at.item % WARP;
  at.warp = at.item / WARP;
  at.tile_x = get_group_id(0) % TILES_X;
  at.tile_y = get_group_id(0) / TILES_X;
  at.x = at.tile_x * TILE_X + 2 * at.lane;
  at.first_row = at.tile_y * TILE_Y + at.warp * ROWS;
  return at;
}

/// Words of the populations arriving from the west, or the east, in row y of column `tile_x` of tiles.
FN global uint* side_words(global uint* box, bool is_from_east, int tile_x, int y) {
  return box + ((is_from_east * TILES_X + tile_x) * NY + y) * 4;
}

/// Words of the populations moving up, or down, into row `tile_y` of tiles at x.
FN global uint* row_words(global uint* box, bool is_downward, int tile_y, int x) {
  return box + SIDE_WORDS + (is_downward * TILES_Y + tile_y) * 3 * NX + x;
}

FN void post_halo(struct HaloCells c, global uint* words, uint tag) {
  store_pair(words, c.straight, tag);
  store_pair(words + NX, c.eastward, tag);
  store_pair(words + 2 * NX, c.westward, tag);
}

FN float2 pair_in(uint2 words) { return VECTOR(float2)(value_in(words.x), value_in(words.y)); }

/// Both set `timed_out` if a wait times out, after which no wait follows.
FN struct HaloCells fetch_halo(global uint* words, uint tag, bool* timed_out) {
  uint2 straight, eastward, westward;
  for (int polls = 0;; ++polls) {
    straight = load_pair(words);
    eastward = load_pair(words + NX);
    westward = load_pair(words + 2 * NX);
    const uint2 wrong = (straight ^ tag) | (eastward ^ tag) | (westward ^ tag);
    if (!((wrong.x | wrong.y) & TAG_BIT) || *timed_out) break;
    *timed_out = polls >= MAX_POLLS;
  }
  return STRUCT(HaloCells){pair_in(straight), pair_in(eastward), pair_in(westward)};
}

FN float4 fetch_side(global uint* words, uint tag, bool* timed_out) {
  uint4 found;
  for (int polls = 0;; ++polls) {
    found = load_four(words);
    const uint wrong = (found.x ^ tag) | (found.y ^ tag) | (found.z ^ tag);
    if (!(wrong & TAG_BIT) || *timed_out) break;
    *timed_out = polls >= MAX_POLLS;
  }
  return VECTOR(float4)(value_in(found.x), value_in(found.y), value_in(found.z), 0);
}

/// Stores the populations leaving row j of the warp sideways: the first lane's to the west, the last lane's to the
/// east. One store without a branch, which would serialise the rows.
FN void set_aside(struct Pair a, local float4* sides, struct Place at, int j) {
  const bool is_last = at.lane == WARP - 1;
  store_where(is_last || at.lane == 0, sides + (is_last ? ROWS : 0) + j, is_last ? a.f[1].y : a.f[3].x,
              is_last ? a.f[5].y : a.f[6].x, is_last ? a.f[8].y : a.f[7].x);
}

/// Posts the populations set aside; each half of the warp has one side.
FN void post_sides(local const float4* sides, global uint* box, struct Place at, uint tag) {
  const int j = at.lane % 16, y = at.first_row + j;
  const bool is_eastward = at.lane >= 16;
  if (j >= ROWS) return;
  const int tile_x = is_eastward ? (at.tile_x + 1) % TILES_X : (at.tile_x + TILES_X - 1) % TILES_X;
  const float4 leaving = sides[is_eastward * ROWS + j];
  post_word(side_words(box, !is_eastward, tile_x, y), leaving.x, tag);
  post_word(side_words(box, !is_eastward, tile_x, (y + 1) % NY) + 1, leaving.y, tag);
  post_word(side_words(box, !is_eastward, tile_x, (y + NY - 1) % NY) + 2, leaving.z, tag);
}

/// A pair of columns moved east, with `side` for the tile's first column, or west.
FN float2 moved_east(float2 pair, float side, int lane) {
  const float before = value_of_lane_before(pair.y);
  return VECTOR(float2)(lane == 0 ? side : before, pair.x);
}
FN float2 moved_west(float2 pair, float side, int lane) {
  const float next = value_of_next_lane(pair.x);
  return VECTOR(float2)(pair.y, lane == WARP - 1 ? side : next);
}

/// Populations leaving a cell with `arrived`; adds |u| of fluid cells to `speeds`. Column by column, because a pair at
/// once takes too many registers.
FN struct Populations collided(struct Populations arrived, uint solid, float* speeds, struct Relaxation c) {
  const struct Moments m = moments_of(arrived, c);
  const struct Populations out = collide_or_bounce(arrived, m, solid, c);
  *speeds += solid ? 0 : scaled_speed_of(m);
  return out;
}

FN struct Populations column_of(struct Pair a, bool is_second) {
  struct Populations one;
  UNROLLED for (int i = 0; i < 9; ++i) one.f[i] = is_second ? a.f[i].y : a.f[i].x;
  return one;
}

FN struct Pair pair_of(struct Populations first, struct Populations second) {
  struct Pair a;
  UNROLLED for (int i = 0; i < 9; ++i) a.f[i] = VECTOR(float2)(first.f[i], second.f[i]);
  return a;
}

/// A warp's populations: the first SLOTS of them in local memory, the others in registers.
struct WarpRows {
  local float2 (*slots)[ROWS][ITEMS];
  float2 others[9 - SLOTS][ROWS];
};

FN float2 kept(const struct WarpRows* rows, int i, int j, int item) {
  return i < SLOTS ? rows->slots[i][j][item] : rows->others[i < SLOTS ? 0 : i - SLOTS][j];
}

FN void keep_row(struct WarpRows* rows, int j, struct Pair a, int item) {
  UNROLLED for (int i = 0; i < SLOTS; ++i) rows->slots[i][j][item] = a.f[i];
  UNROLLED for (int i = SLOTS; i < 9; ++i) rows->others[i - SLOTS][j] = a.f[i];
}

FN struct Pair kept_row(const struct WarpRows* rows, int j, int item) {
  struct Pair a;
  UNROLLED for (int i = 0; i < 9; ++i) a.f[i] = kept(rows, i, j, item);
  return a;
}

/// Populations leaving the top row of each warp upwards, and its lowest row downwards.
struct Edges {
  float2 upward[WARPS][3][WARP], downward[WARPS][3][WARP];
};

FN void leave_halo(struct HaloCells c, local float2 (*to)[WARP], int lane) {
  to[0][lane] = c.straight, to[1][lane] = c.eastward, to[2][lane] = c.westward;
}
FN struct HaloCells take_halo(local float2 (*from)[WARP], int lane) {
  return STRUCT(HaloCells){from[0][lane], from[1][lane], from[2][lane]};
}

/// Sends the populations leaving row j of the warp: sideways always, and across its lowest and top edges.
FN void send_row(struct Pair a, int j, local float4* sides, local struct Edges* edges, global uint* outbox, uint tag,
                 struct Place at) {
  set_aside(a, sides, at, j);
  if (j == 0) {
    const struct HaloCells down = {a.f[4], a.f[8], a.f[7]};
    if (at.warp == 0)
      post_halo(down, row_words(outbox, true, (at.tile_y + TILES_Y - 1) % TILES_Y, at.x), tag);
    else
      leave_halo(down, edges->downward[at.warp], at.lane);
  }
  if (j == ROWS - 1) {
    const struct HaloCells up = {a.f[2], a.f[5], a.f[6]};
    if (at.warp == WARPS - 1)
      post_halo(up, row_words(outbox, false, (at.tile_y + 1) % TILES_Y, at.x), tag);
    else
      leave_halo(up, edges->upward[at.warp], at.lane);
  }
}

/// One step of a warp's rows, from the lowest on; returns the sum of |u| over its fluid cells. Bits 2 j and 2 j + 1 of
/// `solid` are row j's cells. All warps go through this one piece of code: with a second, shorter one for warps without
/// solid cells a step took 4 % longer on an H200, presumably because of the instruction cache.
FN float update_rows(struct WarpRows* rows, struct HaloCells from_south, struct HaloCells from_beyond,
                     local float4* sides, local struct Edges* edges, global uint* outbox, uint tag, struct Place at,
                     uint solid, struct Relaxation c) {
  float speeds = 0;
  UNROLLED for (int j = 0; j < ROWS; ++j) {
    const float4 side = sides[(at.lane == WARP - 1 ? ROWS : 0) + j];
    const int above = j < ROWS - 1 ? j + 1 : j;
    const struct HaloCells from_north =
        above > j ? STRUCT(HaloCells){kept(rows, 4, above, at.item), kept(rows, 8, above, at.item),
                                      kept(rows, 7, above, at.item)}
                  : from_beyond;
    struct Pair a;
    a.f[0] = kept(rows, 0, j, at.item);
    a.f[1] = moved_east(kept(rows, 1, j, at.item), side.x, at.lane);
    a.f[2] = from_south.straight;
    a.f[3] = moved_west(kept(rows, 3, j, at.item), side.x, at.lane);
    a.f[4] = from_north.straight;
    a.f[5] = moved_east(from_south.eastward, side.y, at.lane);
    a.f[6] = moved_west(from_south.westward, side.y, at.lane);
    a.f[7] = moved_west(from_north.westward, side.z, at.lane);
    a.f[8] = moved_east(from_north.eastward, side.z, at.lane);
    from_south = STRUCT(HaloCells){kept(rows, 2, j, at.item), kept(rows, 5, j, at.item), kept(rows, 6, j, at.item)};
    a = pair_of(collided(column_of(a, false), solid & (1u << 2 * j), &speeds, c),
                collided(column_of(a, true), solid & (2u << 2 * j), &speeds, c));
    keep_row(rows, j, a, at.item);
    send_row(a, j, sides, edges, outbox, tag, at);
  }
  return speeds;
}

LARGE_LOCAL_BYTES(on_chip_steps, sizeof(float2) * SLOTS * ROWS * ITEMS)

/// `steps` time steps; see tiles.cl. partial_sums gets one sum per step and warp.
kernel void on_chip_steps(int first_sum, int steps, int is_end, global const SCALAR* restrict source,
                          global SCALAR* restrict target, global const uint* restrict solid_bits,
                          global SCALAR* restrict partial_sums, struct Relaxation c, global uint* mailbox,
                          global int* failures) {
  LARGE_LOCAL_ARRAY(float2, slots, [SLOTS][ROWS][ITEMS]);
  LOCAL_VARIABLE struct Edges edges;
  LOCAL_VARIABLE float4 all_sides[WARPS][2 * ROWS];
  struct WarpRows rows;
  rows.slots = slots;
  const struct Place at = find_place();
  local float4* const sides = all_sides[at.warp];
  const bool has_driven = at.first_row + ROWS == NY;  // the row with the body force, the second to last
  uint solid = 0;
  bool timed_out = false;

  UNROLLED for (int j = 0; j < ROWS; ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);  // otherwise the compiler reads all rows at once, for which there are no registers
    const size_t cell = (size_t)(at.first_row + j) * NX + at.x;
    struct Pair a;
    UNROLLED for (int i = 0; i < 9; ++i) a.f[i] = vload2(0, source + i * CELLS + cell);
    keep_row(&rows, j, a, at.item);
    solid |=
        (uint)(is_solid(solid_bits, at.x, at.first_row + j) | is_solid(solid_bits, at.x + 1, at.first_row + j) << 1)
        << (2 * j);
    send_row(a, j, sides, &edges, mailbox, tag_of(0), at);
  }
  warp_barrier();
  post_sides(sides, mailbox, at, tag_of(0));

#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    global uint* const inbox = mailbox + (step % 2) * BOX_WORDS;
    global uint* const outbox = mailbox + ((step + 1) % 2) * BOX_WORDS;
    const uint tag = tag_of(step), next_tag = tag_of(step + 1);
    asm volatile("" : "+r"(solid));  // otherwise the compiler keeps a register for each of its bits
    barrier(CLK_LOCAL_MEM_FENCE);
    struct HaloCells from_south, from_north;
    if (at.warp > 0) from_south = take_halo(edges.upward[at.warp - 1], at.lane);
    if (at.warp < WARPS - 1) from_north = take_halo(edges.downward[at.warp + 1], at.lane);
    const int row_of_lane = at.lane % 16;
    if (row_of_lane < ROWS) {
      const bool is_from_east = at.lane >= 16;
      sides[is_from_east * ROWS + row_of_lane] =
          fetch_side(side_words(inbox, is_from_east, at.tile_x, at.first_row + row_of_lane), tag, &timed_out);
    }
    if (at.warp == 0) from_south = fetch_halo(row_words(inbox, false, at.tile_y, at.x), tag, &timed_out);
    if (at.warp == WARPS - 1) from_north = fetch_halo(row_words(inbox, true, at.tile_y, at.x), tag, &timed_out);
    barrier(CLK_LOCAL_MEM_FENCE);
    const float speeds = update_rows(&rows, from_south, from_north, sides, &edges, outbox, next_tag, at, solid, c);
    if (has_driven && !(is_end && step == steps - 1)) {  // separate, because within the loop it takes registers
      struct Pair a = kept_row(&rows, ROWS - 2, at.item);
      a = pair_of(accelerate(column_of(a, false), !(solid >> (2 * ROWS - 4) & 1), c),
                  accelerate(column_of(a, true), !(solid >> (2 * ROWS - 4) & 2), c));
      keep_row(&rows, ROWS - 2, a, at.item);
      set_aside(a, sides, at, ROWS - 2);
    }
    warp_barrier();
    post_sides(sides, outbox, at, next_tag);
    const float sum = warp_sum(speeds);
    if (at.lane == 0)
      partial_sums[first_sum + (step * TILES_X * TILES_Y + (int)get_group_id(0)) * WARPS + at.warp] =
          sum * c.speed_unit;
  }

  UNROLLED for (int j = 0; j < ROWS; ++j) {
    const size_t cell = (size_t)(at.first_row + j) * NX + at.x;
    const struct Pair a = kept_row(&rows, j, at.item);
    UNROLLED for (int i = 0; i < 9; ++i) vstore2(a.f[i], 0, target + i * CELLS + cell);
  }
  if (timed_out) failures[0] = 1;
}
