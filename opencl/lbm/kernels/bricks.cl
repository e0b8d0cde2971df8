// All steps of D3Q19 in one launch with the whole grid on the chip: a work-group holds a brick of it, rows along x, in
// local memory, and the groups tell each other in every step what passes from brick to brick. Single precision.
//
// Steps are in place (in_place.cl says how), so half of them find what arrives in the neighbours and leave there what
// moves on, and half keep to the cell. Every direction has its places in local memory, with a layer beyond the brick on
// the side that it comes from:
//
//     population i of cell (x, y, z)       place(i) + (z * Y_PITCH + y) * ROW + x
//
// A place (i, cell) from which i moves into another brick is shared by two groups: the cell's, and that of the cell it
// moves to, which has it in its layer beyond. They take turns: in a local step the first group writes it and in the
// next step the second one reads it, which is then a neighbour step, writes it too, and the first group reads what has
// arrived. So the mailbox has one word for each such place, and its tag (mailbox.h) says who wrote it last: TAG_BIT the
// second one.
//
// In a step the items update the rows, those of the faces first, and post what leaves the brick at once; then they
// bring what others have posted for the next step into local memory. Most of it is there by then.
//
// The host defines NX, NY, NZ, PITCH and WEST of the grid (layout.h); BRICKS_Y x BRICKS_Z; ROW, no less than NX, places
// of a row in local memory, with warps a multiple of 32; ITEMS of a group, a multiple of ROW; BATCH, vectors of four
// words that an item fetches at once; MAX_POLLS.
#include "mailbox.h"

#include "rows.h"

#include "opencl/runtime/kernels/sum_steps.h"

#define BRICK_Y ((NY + BRICKS_Y - 1) / BRICKS_Y) /* of the largest brick */
#define BRICK_Z ((NZ + BRICKS_Z - 1) / BRICKS_Z)
#define ROWS (BRICK_Y * BRICK_Z)
#define Y_PITCH (BRICK_Y + 1)
#define VALUES ((19 * BRICK_Z + 10) * Y_PITCH * ROW)
#define BOX_ROW (16 * ROW) /* words: directions 3 to 18 leave a row */
#define BOX_PLANE (NY * BOX_ROW)
#define MASKS ((ROW + 31) / 32)
#define BITS_IN_ROW ((NX + 31) / 32)
#define MOST_MESSAGES (10 * (BRICK_Y + BRICK_Z) - 4)
#define SOURCE_ROW(y, z) (((size_t)(z)*NY + (y)) * (19 * PITCH) + WEST)

/// Of a row: faces of the brick that it lies on, and whether the body force acts there.
#define NORTH 1u
#define SOUTH 2u
#define TOP 4u
#define BOTTOM 8u
#define FACES 15u
#define DRIVEN 16u

/// A brick: its first row, and its extents.
struct Brick {
  int y, z, ny, nz;
};

FN struct Brick brick_of(int group) {
  const int j = group % BRICKS_Y, k = group / BRICKS_Y;
  struct Brick b;
  b.y = j * NY / BRICKS_Y, b.ny = (j + 1) * NY / BRICKS_Y - b.y;
  b.z = k * NZ / BRICKS_Z, b.nz = (k + 1) * NZ / BRICKS_Z - b.z;
  return b;
}

/// Place of direction i at the brick's first cell, behind those before it, of which `taller` have a layer more.
FN int place(int i) {
  const int taller = i <= 5 ? 0 : i == 6 ? 1 : i <= 11 ? 2 : i - 9;
  return ((i * BRICK_Z + taller + (lattice_cz[i] > 0)) * Y_PITCH + (lattice_cy[i] > 0)) * ROW;
}

/// The places of a work-item's column of a row, and of the western and eastern columns.
struct ColumnPlaces {
  local SCALAR *here, *west, *east;
};

/// Where direction i of a cell is found in a neighbour step, and the opposite one left; or in a local step.
FN local SCALAR* arrival(bool is_local, int i, struct ColumnPlaces at) {
  if (is_local) return at.here + place(OPPOSITE(i));
  return (lattice_cx[i] > 0   ? at.west
          : lattice_cx[i] < 0 ? at.east
                              : at.here) +
         (place(i) - (lattice_cz[i] * Y_PITCH + lattice_cy[i]) * ROW);
}

/// One before, or after, or beyond the grid's last column itself.
FN int west_of(int x) { return x < NX ? one_before(x, NX) : x; }
FN int east_of(int x) { return x < NX ? one_after(x, NX) : x; }

/// Words of the mailbox of a row, and the distances there to the neighbouring rows.
struct Box {
  global uint *here, *west, *east;
  int north, south, up, down;
};

/// Posts what leaves a cell in direction j.
FN void post(bool is_local, int j, SCALAR value, struct Box box) {
  const int dx = lattice_cx[j], dy = lattice_cy[j], dz = lattice_cz[j];
  if (is_local) {
    post_word(box.here + (j - 3) * ROW, value, 0);
    return;
  }
  global uint* const column = dx > 0 ? box.east : dx < 0 ? box.west : box.here;
  const int neighbour = (dy > 0 ? box.north : dy < 0 ? box.south : 0) + (dz > 0 ? box.up : dz < 0 ? box.down : 0);
  post_word(column + neighbour + (OPPOSITE(j) - 3) * ROW, value, TAG_BIT);
}

/// Posts what leaves a row through `face`; what leaves an edge only through its face in y, where the row is on both.
FN void post_face(bool is_local, uint face, uint faces, struct Populations a, struct Box box) {
  if (!(faces & face)) return;
  UNROLLED for (int i = 3; i < DIRECTIONS; ++i) {
    const uint in_y = lattice_cy[i] > 0 ? NORTH : lattice_cy[i] < 0 ? SOUTH : 0;
    const uint in_z = lattice_cz[i] > 0 ? TOP : lattice_cz[i] < 0 ? BOTTOM : 0;
    if (in_y == face || (in_z == face && !(faces & in_y))) post(is_local, i, a.f[i], box);
  }
}

FN struct Box box_of(global uint* mailbox, uint yz, int x) {
  const int y = yz & 0xffff, z = yz >> 16;
  struct Box box;
  global uint* const row = mailbox + (z * BOX_PLANE + y * BOX_ROW);
  box.here = row + x, box.west = row + west_of(x), box.east = row + east_of(x);
  box.north = y == NY - 1 ? BOX_ROW - BOX_PLANE : BOX_ROW, box.south = y == 0 ? BOX_PLANE - BOX_ROW : -BOX_ROW;
  box.up = z == NZ - 1 ? BOX_PLANE - NZ * BOX_PLANE : BOX_PLANE;
  box.down = z == 0 ? (NZ - 1) * BOX_PLANE : -BOX_PLANE;
  return box;
}

/// The brick's rows in the order of their updates. Row r is `place` << 8 with flags; yz: y | z << 16 in the grid.
struct RowTable {
  uint places[ROWS + ITEMS / ROW], yz[ROWS], masks[ROWS * MASKS];
};

/// Those of the lowest and the highest plane come first, then the other faces, then what is inside.
FN int rank_of(int y, int z, struct Brick b) {
  const int planes = min(b.nz, 2), ends = min(b.ny, 2), inner_y = b.ny - ends, inner_z = b.nz - planes;
  if (z == 0) return y;
  if (z == b.nz - 1) return b.ny + y;
  const int before = planes * b.ny;
  if (y == 0) return before + (z - 1) * ends;
  if (y == b.ny - 1) return before + (z - 1) * ends + 1;
  return before + inner_z * ends + (z - 1) * inner_y + y - 1;
}

FN void list_rows(local struct RowTable* rows, struct Brick b, global const uint* solid_bits, int item) {
  for (int i = item; i < b.ny * b.nz; i += ITEMS) {
    const int y = i % b.ny, z = i / b.ny, r = rank_of(y, z, b);
    const uint flags = (y == b.ny - 1 ? NORTH : 0) | (y == 0 ? SOUTH : 0) | (z == b.nz - 1 ? TOP : 0) |
                       (z == 0 ? BOTTOM : 0) | (b.y + y == DRIVEN_ROW_OF(NY) ? DRIVEN : 0);
    rows->places[r] = (uint)((z * Y_PITCH + y) * ROW) << 8 | flags;
    rows->yz[r] = (uint)(b.y + y) | (uint)(b.z + z) << 16;
    for (int word = 0; word < MASKS; ++word)
      rows->masks[r * MASKS + word] =
          word < BITS_IN_ROW ? solid_bits[((b.z + z) * NY + b.y + y) * BITS_IN_ROW + word] : 0xffffffffu;
  }
}

/// One step of the rows of an item's column; gives the sum of |u|.
FN SCALAR update_rows(bool is_local, local SCALAR* cells, local const struct RowTable* rows, int count,
                      global uint* mailbox, int item, bool has_force, struct Relaxation c) {
  const int x = item % ROW;
  SCALAR speeds = 0;
  uint next_row = rows->places[item / ROW];
#pragma unroll 1
  for (int r = item / ROW; r < count; r += ITEMS / ROW) {
    const uint row = next_row;
    next_row = rows->places[r + ITEMS / ROW];
    const uint solid = rows->masks[r * MASKS + x / 32] >> (x % 32) & 1;
    struct ColumnPlaces at;
    at.here = cells + ((row >> 8) + x);
    at.west = is_local ? at.here : cells + ((row >> 8) + west_of(x));
    at.east = is_local ? at.here : cells + ((row >> 8) + east_of(x));
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = *arrival(is_local, i, at);
    const struct Moments m = moments_of(a, c);
    struct Populations leaving = collide(a, m, c);
    const SCALAR speed = scaled_speed_of(m);
    if (!solid) speeds += speed;
    if (has_force && (row & DRIVEN)) leaving = accelerate(leaving, 1, c);
    if (!solid) {
      UNROLLED for (int i = 0; i < DIRECTIONS; ++i) * arrival(is_local, i, at) = leaving.f[OPPOSITE(i)];
    }
    if (row & FACES) {
      UNROLLED for (int i = 3; i < DIRECTIONS; ++i) leaving.f[i] = solid ? a.f[OPPOSITE(i)] : leaving.f[i];
      const struct Box box = box_of(mailbox, rows->yz[r], x);
      post_face(is_local, NORTH, row, leaving, box), post_face(is_local, SOUTH, row, leaving, box);
      post_face(is_local, TOP, row, leaving, box), post_face(is_local, BOTTOM, row, leaving, box);
    }
  }
  return speeds;
}

/// A row of places that is shared with another group: where it begins in the mailbox, and in local memory.
struct SharedRow {
  int from, to;
};

/// Directions that move up and down, or north and south, and not both.
constant int across_z[] = {5, 11, 14, 6, 12, 13}, across_y[] = {3, 7, 10, 4, 8, 9};

/// Message `number` of those that bring to a local step, or to a neighbour step, what arrives from other bricks.
FN struct SharedRow message_of(bool is_local, int number, struct Brick b) {
  int i, y, z;  // direction i leaves the brick from row (y, z)
  const int both = b.ny + b.nz - 1;
  if (number < 6 * b.ny) {
    i = across_z[number / b.ny], y = number % b.ny;
    z = lattice_cz[i] > 0 ? b.nz - 1 : 0;
  } else if (number < 6 * b.ny + 4 * both) {
    const int k = (number - 6 * b.ny) % both;
    i = 15 + (number - 6 * b.ny) / both;
    const int face = lattice_cz[i] > 0 ? b.nz - 1 : 0;
    y = k < b.ny ? k : lattice_cy[i] > 0 ? b.ny - 1 : 0;
    z = k < b.ny ? face : k - b.ny + (face == 0);
  } else {
    const int k = number - 6 * b.ny - 4 * both;
    i = across_y[k / b.nz], z = k % b.nz;
    y = lattice_cy[i] > 0 ? b.ny - 1 : 0;
  }
  if (!is_local) y += lattice_cy[i], z += lattice_cz[i], i = OPPOSITE(i);
  struct SharedRow m;
  m.from = ((b.z + z + NZ) % NZ * NY + (b.y + y + NY) % NY) * BOX_ROW + (i - 3) * ROW;
  m.to = place(i) + (z * Y_PITCH + y) * ROW;
  return m;
}

/// Brings messages into local memory; sets `timed_out` when a wait does, after which nothing is waited for.
FN void fetch(local const struct SharedRow* messages, int count, uint tag, local SCALAR* cells, global uint* mailbox,
              int item, bool* timed_out) {
#ifdef WARP_SHUFFLES
  const int quads = count * (ROW / 4);
#pragma unroll 1
  for (int first = item; first < quads; first += BATCH * ITEMS) {
    struct SharedRow at[BATCH];
    uint4 words[BATCH];
    UNROLLED for (int k = 0; k < BATCH; ++k) {
      const int quad = min(first + k * ITEMS, quads - 1), column = quad % (ROW / 4) * 4;
      at[k] = messages[quad / (ROW / 4)];
      at[k].from += column, at[k].to += column;
    }
#pragma unroll 1
    for (int polls = 0;; ++polls) {
      uint wrong = 0;
      UNROLLED for (int k = 0; k < BATCH; ++k) words[k] = load_four(mailbox + at[k].from);
      UNROLLED for (int k = 0; k < BATCH; ++k) wrong |=
          (words[k].x ^ tag) | (words[k].y ^ tag) | (words[k].z ^ tag) | (words[k].w ^ tag);
      if (!(wrong & TAG_BIT) || *timed_out) break;
      *timed_out = polls >= MAX_POLLS;
    }
    UNROLLED for (int k = 0; k < BATCH; ++k) store_four_values(
        cells + at[k].to, value_in(words[k].x), value_in(words[k].y), value_in(words[k].z), value_in(words[k].w));
  }
#else
  for (int word = item; word < count * ROW; word += ITEMS) {
    const struct SharedRow at = messages[word / ROW];
    uint found;
    for (int polls = 0;; ++polls) {
      found = load_flag(mailbox + at.from + word % ROW);
      if (!((found ^ tag) & TAG_BIT) || *timed_out) break;
      *timed_out = polls >= MAX_POLLS;
    }
    cells[at.to + word % ROW] = value_in(found);
  }
#endif
}

/// The sum of |u| that the items have left, into *sum.
FN void leave_sum_of(local const SCALAR* speeds, SCALAR unit, global SCALAR* sum, int item) {
#ifdef WARP_SHUFFLES
  if (item >= WARP) return;
  SCALAR own = 0;
  for (int i = item; i < ITEMS; i += WARP) own += speeds[i];
  own = warp_sum(own);
  if (item == 0) *sum = own * unit;
#else
  if (item > 0) return;
  SCALAR own = 0;
  for (int i = 0; i < ITEMS; ++i) own += speeds[i];
  *sum = own * unit;
#endif
}

LARGE_LOCAL_BYTES(brick_steps, sizeof(SCALAR) * VALUES)

/// `steps` time steps from `source` to `target`, the first `driven_steps` of them with the body force of the next step.
/// partial_sums gets one sum per step and group. All groups must be resident; failures[0] becomes 1 where a wait has
/// run out. Words of the mailbox are 0 at first.
kernel GROUP_OF(ITEMS) void brick_steps(int first_sum, int steps, int driven_steps,
                                        global const SCALAR* restrict source, global SCALAR* restrict target,
                                        global const uint* restrict solid_bits, global SCALAR* restrict partial_sums,
                                        struct Relaxation c, global uint* mailbox, global int* failures) {
  LARGE_LOCAL_ARRAY(SCALAR, cells, [VALUES]);
  LOCAL_VARIABLE struct RowTable rows;
  LOCAL_VARIABLE struct SharedRow messages[2][MOST_MESSAGES]; /* for a neighbour step, for a local one */
  LOCAL_VARIABLE SCALAR speeds[ITEMS];
  const int item = get_local_id(0), group = get_group_id(0);
  const struct Brick brick = brick_of(group);
  const int row_count = brick.ny * brick.nz;
  const int message_count = 10 * (brick.ny + brick.nz) - 4;
  bool timed_out = false;

  list_rows(&rows, brick, solid_bits, item);
  for (int i = item; i < 2 * message_count; i += ITEMS) {
    const bool is_local = i >= message_count;
    messages[is_local][i % message_count] = message_of(is_local, i % message_count, brick);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int at = item; at < row_count * ROW; at += ITEMS) {
    const int x = at % ROW, y = brick.y + at / ROW % brick.ny, z = brick.z + at / ROW / brick.ny;
    for (int i = 0; i < DIRECTIONS; ++i)
      cells[place(i) + ((z - brick.z) * Y_PITCH + y - brick.y) * ROW + x] =
          x < NX ? source[SOURCE_ROW(y, z) + i * PITCH + x] : 0;
  }
  for (int at = item; at < message_count * ROW; at += ITEMS) {
    const struct SharedRow m = messages[0][at / ROW];
    const int x = at % ROW, row = m.from / BOX_ROW, i = m.from / ROW % 16 + 3;
    cells[m.to + x] = x < NX ? source[SOURCE_ROW(row % NY, row / NY) + i * PITCH + x] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const bool is_last = step == steps - 1, has_force = step < driven_steps;
    global SCALAR* const sums = partial_sums + first_sum + step * (BRICKS_Y * BRICKS_Z) + group;
    speeds[item] = step % 2 == 0 ? update_rows(false, cells, &rows, row_count, mailbox, item, has_force, c)
                                 : update_rows(true, cells, &rows, row_count, mailbox, item, has_force, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_last)
      fetch(messages[(step + 1) % 2], message_count, step % 2 == 0 ? TAG_BIT : 0, cells, mailbox, item, &timed_out);
    leave_sum_of(speeds, c.speed_unit, sums, item);
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int r = item / ROW; r < row_count; r += ITEMS / ROW) {
    const int x = item % ROW, row = rows.places[r] >> 8;
    struct ColumnPlaces at;
    at.here = cells + (row + x), at.west = cells + (row + west_of(x)), at.east = cells + (row + east_of(x));
    global SCALAR* const to = target + SOURCE_ROW(rows.yz[r] & 0xffff, rows.yz[r] >> 16) + x;
    if (x < NX) {
      UNROLLED for (int i = 0; i < DIRECTIONS; ++i) to[i * PITCH] =
          steps % 2 ? *arrival(false, OPPOSITE(i), at) : *arrival(true, OPPOSITE(i), at);
    }
  }
  if (timed_out) failures[0] = 1;
}
