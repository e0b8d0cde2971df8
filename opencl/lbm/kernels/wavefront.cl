// Several steps in one launch, in registers: a warp moves up a strip of 64 columns, two per lane, with DEPTH time
// levels following one another. No local memory, no barrier.
//
//      row
//       Y      level 0 (read)
//       Y-1    level 1
//       Y-2    level 2
//       ...
//       Y-D    level D (written)
//
// The newest row comes from memory. From it and the values kept of the two rows below, each level makes the row below
// for the next time step; the row that the last level makes is written. A strip reads DEPTH columns and rows more on
// each side than it writes.
//
// The host defines DEPTH (even), STRIPS of OWN_COLUMNS = 64 - 2 DEPTH columns, and ITEMS of a work-group.
#include "common/lbm/device/layout.h"

#include "plain.h"
#ifdef HALF_STORAGE
#include "half_pairs.h"
#endif

#include "opencl/runtime/kernels/groups.h"
#include "opencl/runtime/kernels/sum_steps.h"

#define OWN_COLUMNS (64 - 2 * DEPTH)

/// Values that a time level keeps of the two rows below the newest: all populations that have yet to arrive.
struct Level {
  REAL rest, east, west;                                /* of the row below: populations 0, 1, 3 */
  REAL north, north_east, north_west;                   /* of the row below: 2, 5, 6 */
  REAL older_north, older_north_east, older_north_west; /* of the row below that */
};

/// A pair of columns shifted by one cell: populations arriving from the west.
FN REAL from_west(REAL pair) { return VECTOR(REAL)(value_of_lane_before(pair.y), pair.x); }
FN REAL from_east(REAL pair) { return VECTOR(REAL)(pair.y, value_of_next_lane(pair.x)); }

/// The populations that arrive in the row below the newest.
FN struct Populations arrivals(const struct Level* level, struct Populations newest) {
  struct Populations a;
  a.f[0] = level->rest;
  a.f[1] = from_west(level->east);
  a.f[2] = level->older_north;
  a.f[3] = from_east(level->west);
  a.f[4] = newest.f[4];
  a.f[5] = from_west(level->older_north_east);
  a.f[6] = from_east(level->older_north_west);
  a.f[7] = from_east(newest.f[7]);
  a.f[8] = from_west(newest.f[8]);
  return a;
}

/// Adds the newest row.
FN void keep(struct Level* level, struct Populations newest) {
  level->older_north = level->north;
  level->older_north_east = level->north_east;
  level->older_north_west = level->north_west;
  level->rest = newest.f[0];
  level->east = newest.f[1];
  level->west = newest.f[3];
  level->north = newest.f[2];
  level->north_east = newest.f[5];
  level->north_west = newest.f[6];
}

// Two neighbouring values of a row in memory: halves in a word.
#ifdef HALF_STORAGE
#define PAIR uint
#define PAIR_OF(low, high) ((uint)(low) | (uint)(high) << 16)
#define LOW_OF(pair) ((STORED)(pair))
#define HIGH_OF(pair) ((STORED)((pair) >> 16))
#define LOAD_PAIR(from) word_at(from)
#define STORE_PAIR(pair, to) store_pair_word(pair, to)
#define REAL_OF_PAIR(pair) pair_in_word(pair)
#define PAIR_OF_REAL(value) word_of_pair(value)
#else
#define PAIR REAL
#define PAIR_OF(low, high) VECTOR(REAL)(low, high)
#define LOW_OF(pair) (pair).x
#define HIGH_OF(pair) (pair).y
#define LOAD_PAIR(from) vload2(0, from)
#define STORE_PAIR(pair, to) vstore2(pair, 0, to)
#define REAL_OF_PAIR(pair) (pair)
#define PAIR_OF_REAL(value) (value)
#endif

struct Pairs {
  PAIR of[9];
};

FN struct Populations unpacked(struct Pairs pairs) {
  struct Populations a;
  UNROLLED for (int i = 0; i < 9; ++i) a.f[i] = REAL_OF_PAIR(pairs.of[i]);
  return a;
}
FN struct Pairs packed(struct Populations a) {
  struct Pairs pairs;
  a = dithered(a);
  UNROLLED for (int i = 0; i < 9; ++i) pairs.of[i] = PAIR_OF_REAL(a.f[i]);
  return pairs;
}

/// A row of odd length wraps within a pair.
FN struct Pairs load_row(global const STORED* source, int x, int y) {
  struct Pairs pairs;
  UNROLLED for (int i = 0; i < 9; ++i) {
    global const STORED* const row = source + i * CELLS + (size_t)y * NX;
#if NX % 2 == 0
    pairs.of[i] = LOAD_PAIR(row + x);
#else
    pairs.of[i] = PAIR_OF(row[x], row[x + 1 < NX ? x + 1 : 0]);
#endif
  }
  return pairs;
}

/// cells: of the grid.
FN void store_row(struct Pairs pairs, global STORED* target, size_t cells, int x, int y) {
  UNROLLED for (int i = 0; i < 9; ++i) {
    global STORED* const row = target + i * cells + (size_t)y * NX;
#if NX % 2 == 0
    STORE_PAIR(pairs.of[i], row + x);
#else
    row[x] = LOW_OF(pairs.of[i]);
    if (x + 1 < NX) row[x + 1] = HIGH_OF(pairs.of[i]);
#endif
  }
}

/// Solid bits of a pair.
FN uint load_bits(global const uint* solid_bits, int x, int y) {
#if NX % 2 == 0
  return (solid_bits[(size_t)y * MASK_WORDS + (x >> 5)] >> (x & 31)) & 3;
#else
  return is_solid(solid_bits, x, y) | is_solid(solid_bits, x + 1 < NX ? x + 1 : 0, y) << 1;
#endif
}

FN int next_row(int y) { return y == NY - 1 ? 0 : y + 1; }

/// All levels for the newest row; returns the row that level `count` made. `row`: the newest, `done`: rows before it,
/// `solid_bits`: of the rows, two each, the newest lowest. Adds |u| of the warp's own rows to `speeds`.
FN struct Populations climb(struct Populations newest, struct Level* levels, REAL* speeds, int count, int row, int done,
                            int rows, uint solid_bits, bool has_solid, bool is_end, struct Relaxation c) {
  UNROLLED for (int l = 0; l < DEPTH; ++l) {
    if (l >= count) continue;
    const struct Populations arrived = arrivals(&levels[l], newest);
    keep(&levels[l], newest);
    MASK solid = 0;
    if (has_solid) solid = mask_from_bits(solid_bits >> (2 * (l + 1)));
    const bool is_driven = (row - DRIVEN_ROW - (l + 1)) % PERIOD == 0 && !(is_end && l == count - 1);
    REAL sum = speeds[l];
    newest = update_cell(arrived, moments_of(arrived, c), solid, has_solid, is_driven, c, &sum);
    const int made = done - (l + 1) - count;  // 0: the lowest of the warp's own rows
    if (made >= 0 && made < rows) speeds[l] = sum;
  }
  return newest;
}

#ifdef SENDS
// Launches of a rank's strip, all rows in one band, that send halo rows to the neighbours' devices themselves (CUDA).
// Before the warps of the DEPTH rows at an end begin, the neighbour there must have done its end in the previous
// launch: then its rows have arrived, and those sent to it have been read. When all of these warps have sent their
// rows, the last one signals it. These warps come first, so their rows have nearly the time of a launch before the
// neighbour needs them.
#define PEERS_ARGUMENT struct HaloPeers peers,
#define UNSHARED /* other devices write to the grid while the kernel runs */

FN void see_other_devices(void) { asm volatile("membar.sys;" ::: "memory"); }

/// The first of the DEPTH rows at an end.
FN int end_row(bool is_north) { return is_north ? NY - 2 * DEPTH : DEPTH; }
FN bool is_at_end(bool is_north, int first_row, int rows) {
  return first_row < end_row(is_north) + DEPTH && first_row + rows > end_row(is_north);
}

FN void await_peer(struct HaloPeers peers, bool is_north) {
  uint newest;
  do {
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(newest) : "l"(peers.arrived + 4 * is_north) : "memory");
  } while ((int)(newest + 1 - (uint)peers.number) < 0);
  see_other_devices();
}

/// Sends a warp's rows that are at this end. `chunks` of the strip's rows contain some of them.
FN void send_rows(struct HaloPeers peers, bool is_north, int chunks, int first_row, int rows, global STORED* target,
                  int x, bool is_own) {
  const struct PeerStrip peer = is_north ? peers.north : peers.south;
  const int end = end_row(is_north), last = min(first_row + rows, end + DEPTH);
  for (int y = max(first_row, end); y < last; ++y)
    if (is_own)
      store_row(load_row(target, x, y), (global STORED*)peer.grid, peer.cells, x, (int)peer.halo_row + y - end);
  see_other_devices();
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  if (get_local_id(0) % WARP > 0) return;
  global uint* const done = (global uint*)peers.done + is_north;
  if (count_up(done) < STRIPS * chunks - 1) return;
  store_flag(done, 0);
  see_other_devices();
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(peer.arrived), "r"((uint)peers.number) : "memory");
}
#else
#define PEERS_ARGUMENT
#define UNSHARED restrict
#endif

/// `count` steps, at most DEPTH, of the rows in `bands`, which warps own `chunk_rows` at a time, from `source` to
/// `target`. `partial_sums` gets a sum of |u| per warp, from `first_sum` on, and `sums_a_step` further on those of the
/// next step. The body force of the next step is part of each step, except the last one if `is_end`. Launch at least
/// STRIPS warps per chunk of rows.
kernel GROUP_OF(ITEMS) void wavefront_steps(int first_sum, int count, int is_end, struct Bands bands, int chunk_rows,
                                            PEERS_ARGUMENT global const STORED* UNSHARED source,
                                            global STORED* UNSHARED target, global const uint* restrict solid_bits,
                                            global SCALAR* restrict partial_sums, struct Relaxation c,
                                            int sums_a_step) {
  const int warp = get_global_id(0) / WARP, lane = get_local_id(0) % WARP;
  const int strip = warp % STRIPS, south_chunks = (bands.south_rows + chunk_rows - 1) / chunk_rows;
  int chunk = warp / STRIPS;
#ifdef SENDS  // from both ends inwards
  if (chunk < south_chunks) chunk = chunk % 2 == 0 ? chunk / 2 : south_chunks - 1 - chunk / 2;
#endif
  const bool is_south = chunk < south_chunks;
  const int passed = (is_south ? chunk : chunk - south_chunks) * chunk_rows;
  const int rows = min(chunk_rows, (is_south ? bands.south_rows : bands.north_rows) - passed);
  const int first_row = (is_south ? bands.south : bands.north) + passed;
  if (rows <= 0) return;
  const int column = strip * OWN_COLUMNS - DEPTH + 2 * lane, x = wrapped(column, NX);
  const bool is_own = lane >= DEPTH / 2 && lane < WARP - DEPTH / 2 && column < NX;
  struct Level levels[DEPTH];
  REAL speeds[DEPTH];
  UNROLLED for (int l = 0; l < DEPTH; ++l) {
    levels[l] = STRUCT(Level){0, 0, 0, 0, 0, 0, 0, 0, 0};
    speeds[l] = 0;
  }
#ifdef SENDS
  const bool sends = peers.south.grid != 0;
  const bool at_south = sends && is_at_end(false, first_row, rows),
             at_north = sends && is_at_end(true, first_row, rows);
  if (at_south) await_peer(peers, false);
  if (at_north) await_peer(peers, true);
#endif
  int y = wrapped(first_row - count, NY);
  struct Pairs ahead = load_row(source, x, y);
  uint bits_ahead = load_bits(solid_bits, x, y), bits = 0;
  for (int done = 0; done < rows + 2 * count; ++done) {
    const struct Populations newest = unpacked(ahead);
    const int row = y;
    bits = bits << 2 | bits_ahead;
    y = next_row(y);
    ahead = load_row(source, x, y);  // while this row is being worked on
    bits_ahead = load_bits(solid_bits, x, y);
    const uint in_play = bits & ((4u << (2 * DEPTH)) - 4u);
    const struct Populations made = any_lane(in_play)
                                        ? climb(newest, levels, speeds, count, row, done, rows, bits, true, is_end, c)
                                        : climb(newest, levels, speeds, count, row, done, rows, bits, false, is_end, c);
    if (done >= 2 * count && is_own) store_row(packed(made), target, CELLS, x, first_row + done - 2 * count);
  }
#ifdef SENDS
  if (at_south) send_rows(peers, false, (DEPTH + chunk_rows - 1) / chunk_rows, first_row, rows, target, x, is_own);
  if (at_north)
    send_rows(peers, true, south_chunks - (bands.south_rows - DEPTH) / chunk_rows, first_row, rows, target, x, is_own);
#endif
  UNROLLED for (int l = 0; l < DEPTH; ++l) {
    if (l >= count) continue;
    REAL own = is_own ? speeds[l] : VECTOR(REAL)(0);
#if NX % 2 == 1
    if (column + 1 >= NX) own.y = 0;
#endif
    const SCALAR sum = warp_sum(own.x + own.y);
    if (lane == 0) partial_sums[first_sum + l * sums_a_step + warp] = sum * c.speed_unit;
  }
}
