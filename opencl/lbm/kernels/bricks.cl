// All steps of D3Q19 in one launch with the whole grid on the chip: a work-group holds a brick of it, rows along x, in
// local memory, and the groups exchange in every step the populations that cross between bricks. Single precision, or
// halves, two cells per item on NVIDIA devices.
//
// Steps are in place (see in_place.cl): half of them read from the neighbours and write to them, the other half use
// only the cell. Every direction has its places in local memory, with a layer beyond the brick on the side from which
// it arrives:
//
//     population i of cell (x, y, z)       place(i) + (z * Y_PITCH + y) * ROW + x
//
// A place (i, cell) from which i moves into another brick is shared by two groups: that of the cell, and that of the
// destination, which has it in its layer beyond. They alternate: in a local step the first group writes it; in the next
// step, a neighbour step, the second group reads it and writes it, and the first group reads the result. Populations of
// direction i leaving a row travel in words of that row and direction, in the column of the place, in two alternating
// boxes (mailbox.h).
//
// In a step the items update the rows, those of the faces first, and immediately post the populations leaving the
// brick; then they request the words that others have posted for the next step, most of which have arrived by then, and
// store them in local memory when all rows are updated. The sum of |u| is computed while the words travel.
//
// The host defines NX, NY, NZ, PITCH and WEST of the grid (layout.h); BRICKS_Y x BRICKS_Z; ROW, no less than NX, places
// of a row in local memory, with warps a multiple of 4; ITEMS of a group, a multiple of those of a row; BATCH, vectors
// of four words that an item fetches; MAX_POLLS.
#include "mailbox.h"

#include "rows.h"

#if LANES == 2
#include "half_pairs.h"
#endif

#include "opencl/runtime/kernels/sum_steps.h"

#define BRICK_Y ((NY + BRICKS_Y - 1) / BRICKS_Y) /* of the largest brick */
#define BRICK_Z ((NZ + BRICKS_Z - 1) / BRICKS_Z)
#define ROWS (BRICK_Y * BRICK_Z)
#define Y_PITCH (BRICK_Y + 1)
#define VALUES ((19 * BRICK_Z + 10) * Y_PITCH * ROW)
#define BOX_ROW (16 * ROW) /* words: directions 3 to 18 leave a row */
#define BOX (NZ * NY * BOX_ROW)
#define WORDS_OF_ROW(y, z) (((z)*NY + (y)) * BOX_ROW)
#define MASKS ((ROW + 31) / 32)
#define COLUMNS (ROW / LANES) /* items of a row */
#define ROWS_AT_ONCE (ITEMS / COLUMNS)
#define BITS_IN_ROW ((NX + 31) / 32)
#define MOST_MESSAGES (10 * (BRICK_Y + BRICK_Z) - 4)
#define SOURCE_ROW(y, z) (((size_t)(z)*NY + (y)) * (19 * PITCH) + WEST)

/// Flags of a row: the faces of the brick that it belongs to, and whether the body force acts there.
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

/// Place of direction i at the brick's first cell, after the directions before it, of which `taller` have one more
/// layer.
FN int place(int i) {
  const int taller = i <= 5 ? 0 : i == 6 ? 1 : i <= 11 ? 2 : i - 9;
  return ((i * BRICK_Z + taller + (lattice_cz[i] > 0)) * Y_PITCH + (lattice_cy[i] > 0)) * ROW;
}

/// One before, one after, or, beyond the grid's last column, the column itself.
FN int west_of(int x) { return x < NX ? one_before(x, NX) : x; }
FN int east_of(int x) { return x < NX ? one_after(x, NX) : x; }

/// A work-item's columns, and those west and east of them.
struct Columns {
  int at[LANES], west[LANES], east[LANES];
};

FN struct Columns columns_from(int x) {
  struct Columns c;
  UNROLLED for (int lane = 0; lane < LANES; ++lane) {
    c.at[lane] = x + lane, c.west[lane] = west_of(x + lane), c.east[lane] = east_of(x + lane);
  }
  return c;
}

/// The column from which populations moving by `cx` arrive.
FN int column_before(int cx, int lane, struct Columns c) {
  return cx > 0 ? c.west[lane] : cx < 0 ? c.east[lane] : c.at[lane];
}

/// Offset from a row's cells at which direction i is read, and its opposite written, in a neighbour step; or in a local
/// step.
FN int arrival(bool is_local, int i) {
  return is_local ? place(OPPOSITE(i)) : place(i) - (lattice_cz[i] * Y_PITCH + lattice_cy[i]) * ROW;
}

FN REAL arrived(bool is_local, int i, local const STORED* row, struct Columns c) {
  const int cx = is_local ? 0 : lattice_cx[i];
  local const STORED* const at = row + column_before(cx, 0, c) + arrival(is_local, i);
#if LANES == 1
  return LOAD_IN(local, at);
#else
  if (cx == 0) return pair_in_word(as_uint(*(local const ushort2*)at));
  return VECTOR(REAL)(LOAD_ONE_IN(local, at), LOAD_ONE_IN(local, row + column_before(cx, 1, c) + arrival(is_local, i)));
#endif
}

FN void leave(REAL value, bool is_local, int i, local STORED* row, struct Columns c) {
  const int cx = is_local ? 0 : lattice_cx[i];
  local STORED* const at = row + column_before(cx, 0, c) + arrival(is_local, i);
#if LANES == 1
  STORE_IN(local, value, at);
#else
  const ushort2 pair = as_ushort2(word_of_pair(value));
  if (cx == 0)
    *(local ushort2*)at = pair;
  else
    *at = pair.x, *(row + column_before(cx, 1, c) + arrival(is_local, i)) = pair.y;
#endif
}

/// Posts the population leaving a cell in direction i; `box`: words of its row in the step's box.
FN void post(bool is_local, int i, REAL value, uint tag, global uint* box, struct Columns c) {
  const int cx = is_local ? 0 : -lattice_cx[i];
  global uint* const to = box + column_before(cx, 0, c) + (i - 3) * ROW;
#if LANES == 1
  post_word(to, value, tag);
#else
  if (cx == 0)
    store_pair(to, value, tag);
  else
    post_word(to, value.x, tag), post_word(box + column_before(cx, 1, c) + (i - 3) * ROW, value.y, tag);
#endif
}

/// Posts the populations leaving a row through `face`; at an edge, where the row is on two faces, only through its face
/// in y.
FN void post_face(bool is_local, uint face, uint faces, struct Populations a, uint tag, global uint* box,
                  struct Columns c) {
  if (!(faces & face)) return;
  UNROLLED for (int i = 3; i < DIRECTIONS; ++i) {
    const uint in_y = lattice_cy[i] > 0 ? NORTH : lattice_cy[i] < 0 ? SOUTH : 0;
    const uint in_z = lattice_cz[i] > 0 ? TOP : lattice_cz[i] < 0 ? BOTTOM : 0;
    if (in_y == face || (in_z == face && !(faces & in_y))) post(is_local, i, a.f[i], tag, box, c);
  }
}

/// The brick's rows in the order of their updates. Row r is `place` << 8 with flags; yz: y | z << 16 in the grid.
struct RowTable {
  uint places[ROWS + ROWS_AT_ONCE], yz[ROWS], masks[ROWS * MASKS];
};

/// The lowest and the highest plane come first, then the other faces, then inner rows.
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

/// One step of the rows of an item's columns; returns the sum of |u|.
FN SCALAR update_rows(bool is_local, local STORED* cells, local const struct RowTable* rows, int count,
                      global uint* box, uint tag, int item, bool has_force, struct Relaxation c) {
  const int x = item % COLUMNS * LANES;
  const struct Columns columns = columns_from(x);
  REAL speeds = 0;
  uint next_row = rows->places[item / COLUMNS];
#pragma unroll 1
  for (int r = item / COLUMNS; r < count; r += ROWS_AT_ONCE) {
    const uint row = next_row;
    next_row = rows->places[r + ROWS_AT_ONCE];
    const MASK solid = mask_from_bits(rows->masks[r * MASKS + x / 32] >> (x % 32));
    local STORED* const row_cells = cells + (row >> 8);
    struct Populations a;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = arrived(is_local, i, row_cells, columns);
    // A branch for solid cells would take registers.
    const struct Populations leaving =
        dithered(update_cell(a, moments_of(a, c), solid, 1, has_force && (row & DRIVEN), c, &speeds));
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) leave(leaving.f[OPPOSITE(i)], is_local, i, row_cells, columns);
    if (row & FACES) {
      global uint* const words = box + WORDS_OF_ROW(rows->yz[r] & 0xffff, rows->yz[r] >> 16);
      UNROLLED for (uint face = NORTH; face <= BOTTOM; face *= 2)
          post_face(is_local, face, row, leaving, tag, words, columns);
    }
  }
  return sum_of_lanes(speeds);
}

/// A row of places shared with another group: its start in a box, and in local memory for a neighbour step and for a
/// local one.
struct SharedRow {
  int from, to[2];
};

/// Directions that move up or down, or north or south, but not both.
constant int across_z[] = {5, 11, 14, 6, 12, 13}, across_y[] = {3, 7, 10, 4, 8, 9};

/// Message `number` among those with populations from other bricks.
FN struct SharedRow message_of(int number, struct Brick b) {
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
  const int from_y = y + lattice_cy[i], from_z = z + lattice_cz[i];
  struct SharedRow m;
  m.from = WORDS_OF_ROW((b.y + from_y + NY) % NY, (b.z + from_z + NZ) % NZ) + (OPPOSITE(i) - 3) * ROW;
  m.to[0] = place(OPPOSITE(i)) + (from_z * Y_PITCH + from_y) * ROW;
  m.to[1] = place(i) + (z * Y_PITCH + y) * ROW;
  return m;
}

#ifdef WARP_SHUFFLES
/// The words that an item loads into local memory: vectors of four words, and their places in a box.
struct Vectors {
  uint4 words[BATCH];
  int from[BATCH];
};

/// Number k of an item's vectors, in the order of messages; items may share the last one.
FN int vector_of(int count, int item, int k) { return min(item + k * ITEMS, count * (ROW / 4) - 1); }

FN struct Vectors vectors_of(local const struct SharedRow* messages, int count, int item) {
  struct Vectors v;
  UNROLLED for (int k = 0; k < BATCH; ++k) {
    const int vector = vector_of(count, item, k);
    v.from[k] = messages[vector / (ROW / 4)].from + vector % (ROW / 4) * 4;
  }
  return v;
}

FN bool have_arrived(uint4 words, uint tag) {
  return !(((words.x ^ tag) | (words.y ^ tag) | (words.z ^ tag) | (words.w ^ tag)) & TAG_BIT);
}

/// Reads all vectors; or, with `again`, those that had not arrived.
FN void ask(bool again, uint tag, global uint* box, struct Vectors* v) {
  UNROLLED for (int k = 0; k < BATCH; ++k) {
    if (!again || !have_arrived(v->words[k], tag)) v->words[k] = load_four(box + v->from[k]);
  }
}

/// Stores four contiguous words of the mailbox in local memory.
FN void store_words(uint4 words, local STORED* to) {
  const float a = value_in(words.x), b = value_in(words.y), c = value_in(words.z), d = value_in(words.w);
#ifdef HALF_STORAGE
  *(local uint2*)to = VECTOR(uint2)(word_of_pair(VECTOR(float2)(a, b)), word_of_pair(VECTOR(float2)(c, d)));
#else
  store_four_values(to, a, b, c, d);
#endif
}
#else
struct Vectors {
  int none;
};
#define vectors_of(messages, count, item) \
  STRUCT(Vectors) { 0 }
#define ask(again, tag, box, vectors)
#endif

/// Stores messages in local memory, of which `v` was requested; sets `timed_out` if a wait times out, after which no
/// wait follows.
FN void fetch(bool is_local, local const struct SharedRow* messages, int count, uint tag, local STORED* cells,
              global uint* box, int item, bool* timed_out, struct Vectors* v) {
#ifdef WARP_SHUFFLES
#pragma unroll 1
  for (int polls = 0;; ++polls) {
    bool are_here = true;
    UNROLLED for (int k = 0; k < BATCH; ++k) are_here = are_here && have_arrived(v->words[k], tag);
    if (are_here || *timed_out) break;
    *timed_out = polls >= MAX_POLLS;
    ask(true, tag, box, v);
  }
  UNROLLED for (int k = 0; k < BATCH; ++k) {
    const int vector = vector_of(count, item, k);
    store_words(v->words[k], cells + messages[vector / (ROW / 4)].to[is_local] + vector % (ROW / 4) * 4);
  }
#else
  for (int word = item; word < count * ROW; word += ITEMS) {
    local const struct SharedRow* const at = messages + word / ROW;
    uint found;
    for (int polls = 0;; ++polls) {
      found = load_flag(box + at->from + word % ROW);
      if (!((found ^ tag) & TAG_BIT) || *timed_out) break;
      *timed_out = polls >= MAX_POLLS;
    }
    STORE_IN(local, value_in(found), cells + at->to[is_local] + word % ROW);
  }
#endif
}

/// Stores the items' total of |u| in *sum.
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

LARGE_LOCAL_BYTES(brick_steps, sizeof(STORED) * VALUES)

/// `steps` time steps from `source` to `target`, the first `driven_steps` of them with the body force of the next step.
/// partial_sums gets one sum per step and group. All groups must be resident; failures[0] becomes 1 if a wait times
/// out. Words of the mailbox are initially 0.
kernel GROUP_OF(ITEMS) void brick_steps(int first_sum, int steps, int driven_steps,
                                        global const STORED* restrict source, global STORED* restrict target,
                                        global const uint* restrict solid_bits, global SCALAR* restrict partial_sums,
                                        struct Relaxation c, global uint* mailbox, global int* failures) {
  LARGE_LOCAL_ARRAY(STORED, cells, [VALUES]);
  LOCAL_VARIABLE struct RowTable rows;
  LOCAL_VARIABLE struct SharedRow messages[MOST_MESSAGES];
  LOCAL_VARIABLE SCALAR speeds[ITEMS];
  const int item = get_local_id(0), group = get_group_id(0);
  const struct Brick brick = brick_of(group);
  const int row_count = brick.ny * brick.nz;
  const int message_count = 10 * (brick.ny + brick.nz) - 4;
  bool timed_out = false;

  list_rows(&rows, brick, solid_bits, item);
  for (int i = item; i < message_count; i += ITEMS) messages[i] = message_of(i, brick);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int at = item; at < row_count * ROW; at += ITEMS) {
    const int x = at % ROW, y = brick.y + at / ROW % brick.ny, z = brick.z + at / ROW / brick.ny;
    for (int i = 0; i < DIRECTIONS; ++i)
      cells[place(i) + ((z - brick.z) * Y_PITCH + y - brick.y) * ROW + x] =
          x < NX ? source[SOURCE_ROW(y, z) + i * PITCH + x] : 0;
  }
  for (int at = item; at < message_count * ROW; at += ITEMS) {
    const struct SharedRow m = messages[at / ROW];
    const int x = at % ROW, row = m.from / BOX_ROW, i = m.from / ROW % 16 + 3;
    cells[m.to[0] + x] = x < NX ? source[SOURCE_ROW(row % NY, row / NY) + i * PITCH + x] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  struct Vectors vectors = vectors_of(messages, message_count, item);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const bool is_last = step == steps - 1, has_force = step < driven_steps;
    global SCALAR* const sums = partial_sums + first_sum + step * (BRICKS_Y * BRICKS_Z) + group;
    const uint tag = tag_of(step + 2);
    const bool is_local = step % 2;
    global uint* const box = mailbox + is_local * BOX;
    speeds[item] = is_local ? update_rows(true, cells, &rows, row_count, box, tag, item, has_force, c)
                            : update_rows(false, cells, &rows, row_count, box, tag, item, has_force, c);
    if (!is_last) ask(false, tag, box, &vectors);
    barrier(CLK_LOCAL_MEM_FENCE);
    leave_sum_of(speeds, c.speed_unit, sums, item);
    if (!is_last) fetch(!is_local, messages, message_count, tag, cells, box, item, &timed_out, &vectors);
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int at = item; at < row_count * ROW; at += ITEMS) {
    const int x = at % ROW;
    if (x >= NX) continue;
    const uint row = rows.places[at / ROW] >> 8, yz = rows.yz[at / ROW];
    const struct Columns columns = columns_from(x);
    global STORED* const to = target + SOURCE_ROW(yz & 0xffff, yz >> 16) + x;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) to[i * PITCH] =
        steps % 2 ? cells[row + column_before(-lattice_cx[i], 0, columns) + arrival(false, OPPOSITE(i))]
                  : cells[row + x + arrival(true, OPPOSITE(i))];
  }
  if (timed_out) failures[0] = 1;
}
