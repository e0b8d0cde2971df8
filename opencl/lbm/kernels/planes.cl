// Two time steps of D3Q19 in one launch: a work-group owns the columns of a tile of x and y and marches along z.
//
//   plane z     step 1, from memory, in the columns of the tile and of a ring of one column round it
//   plane z-1   step 2, to memory, in the columns of the tile, from what step 1 has left in local memory
//
// Local memory has 24 values per column: the 5 populations that move down from plane z, the 9 of plane z-1 that stay in
// their plane, and the 5 that move up, of planes z-1 and z-2. In each plane all items write the populations moving
// down, read those that step 2 needs from their neighbours, and store the rest of plane z in their place. A cell's
// solid bit is carried in the last bit of the population at rest.
//
// On an H200 it is bound by traffic inside the second-level cache and by the number of items per compute unit; both
// require few registers. An item needs 72, so two groups of 448 items fill a unit. To save registers, a plane's
// addresses are one pointer that is opaque to the compiler, plus constants, so it keeps no sums; and wrapping is done
// only by groups at the grid's edges.
//
// The host defines NX, NY, NZ, PITCH and WEST of the grid (layout.h); TILE_X x TILE_Y columns and PLANES planes of a
// group, each at most the grid's; ITEMS, no fewer than columns with the ring; and STRIPE: groups are numbered along x,
// then along y through STRIPE tiles, then along z, so that groups that share columns run at about the same time.
#include "two_grid.cl"

#define REGION_X (TILE_X + 2)
#define COLUMNS (REGION_X * (TILE_Y + 2))
#define TILES_X ((NX + TILE_X - 1) / TILE_X)
#define TILES_Y ((NY + TILE_Y - 1) / TILE_Y)
#define CHUNKS ((NZ + PLANES - 1) / PLANES)
#define ROW_VALUES (19 * PITCH)
#define PLANE_VALUES ((size_t)NY * ROW_VALUES)
#define BITS_IN_ROW ((NX + 31) / 32)

/// Places of a direction's populations in local memory, in columns: those that stay in their plane from 0 on, those
/// that move down from DOWN on, those that move up alternately from UP and NEXT_UP on. Numbers in the group:
constant int slot[] = {0, 1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 1, 1, 2, 2, 3, 3, 4, 4};
#define DOWN 9
#define UP 14
#define NEXT_UP 19

/// Facts about an item's columns, as bits: the column of step 1 is at an edge of the grid, step 1 or 2 counts in the
/// sum of |u|, the body force acts there after step 1 or 2.
#define FIRST_X 1
#define LAST_X 2
#define FIRST_Y 4
#define LAST_Y 8
#define COUNTS_1 16
#define COUNTS_2 32
#define DRIVEN_1 64
#define DRIVEN_2 128

#ifdef WARP_SHUFFLES
FN global const STORED* opaque(global const STORED* known) {
  ulong unknown;
  asm volatile("mov.u64 %0, %1;" : "=l"(unknown) : "l"((ulong)known));
  return KNOWN_GLOBAL((global const STORED*)unknown);
}
FN int opaque_word(int known) {
  int unknown;
  asm volatile("mov.u32 %0, %1;" : "=r"(unknown) : "r"(known));
  return unknown;
}
#else
#define opaque(pointer) (pointer)
#define opaque_word(word) (word)
#endif

/// The value at `from` + `index`, in one instruction for address and load so that no address outlives it.
FN SCALAR load_at(global const STORED* from, int index) {
#if defined WARP_SHUFFLES && defined HALF_STORAGE
  float value;
  asm volatile(
      "{ .reg .u64 at; .reg .b16 word; mad.wide.s32 at, %1, 2, %2; ld.global.nc.b16 word, [at];"
      " cvt.f32.f16 %0, word; }"
      : "=f"(value)
      : "r"(index), "l"((ulong)from));
  return value;
#elif defined WARP_SHUFFLES && !defined DOUBLES
  float value;
  asm volatile("{ .reg .u64 at; mad.wide.s32 at, %1, 4, %2; ld.global.nc.f32 %0, [at]; }"
               : "=f"(value)
               : "r"(index), "l"((ulong)from));
  return value;
#else
  return LOAD_ONE(from + index);
#endif
}

/// Populations arriving in the column at x, y, given pointers to the planes below, here and above.
FN struct Populations arrivals(global const STORED* below, global const STORED* here, global const STORED* above,
                               bool is_edge, int column) {
  struct Populations a;
  if (!is_edge) {
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
      global const STORED* const plane = lattice_cz[i] > 0 ? below : lattice_cz[i] < 0 ? above : here;
      a.f[i] = LOAD_ONE(plane + (i * PITCH - lattice_cy[i] * ROW_VALUES - lattice_cx[i]));
    }
    return a;
  }
  const int edges = opaque_word(column);
  const int wrap_x[3] = {edges & LAST_X ? -NX : 0, 0, edges & FIRST_X ? NX : 0};
  const int wrap_y[3] = {edges & LAST_Y ? -NY * ROW_VALUES : 0, 0, edges & FIRST_Y ? NY * ROW_VALUES : 0};
  UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
    global const STORED* const plane = lattice_cz[i] > 0 ? below : lattice_cz[i] < 0 ? above : here;
    a.f[i] = load_at(plane, wrap_x[1 + lattice_cx[i]] + wrap_y[1 + lattice_cy[i]] +
                                (i * PITCH - lattice_cy[i] * ROW_VALUES - lattice_cx[i]));
  }
  return a;
}

/// Collision of the arrived populations, with the body force of the next step if `driven`; or rebound. Returns |u|.
FN SCALAR step_of_cell(struct Populations* a, uint solid, bool driven, struct Relaxation c) {
  if (solid) {
    *a = bounce_back(*a);
    return 0;
  }
  const struct Moments m = moments_of(*a, c);
  *a = collide(*a, m, c);
  const SCALAR speed = scaled_speed_of(m);
  if (driven) *a = accelerate(*a, 1, c);
  return speed;
}

#ifdef DOUBLES
FN SCALAR marked(SCALAR value, uint solid) { return as_double((as_ulong(value) & ~1ul) | solid); }
FN uint mark_of(SCALAR value) { return (uint)as_ulong(value) & 1; }
#else
FN SCALAR marked(SCALAR value, uint solid) { return as_float((as_uint(value) & ~1u) | solid); }
FN uint mark_of(SCALAR value) { return as_uint(value) & 1; }
#endif

/// A group's tile; `own` is the number of its first cell that no other group also owns: tiles that would reach beyond
/// the grid's end are moved back.
struct Tile {
  int first, own;
};
FN struct Tile tile_of(int number, int size, int n) {
  const struct Tile tile = {min(number * size, n - size), number * size};
  return tile;
}

/// An item's columns: (x, y) in step 1, and column `item` of the tile in step 2. `driven`: bits of the steps that end
/// with a body force.
FN int describe(int item, struct Tile tile_x, struct Tile tile_y, int x, int y, int driven) {
  const int column = item % REGION_X - 1, row = item / REGION_X - 1;
  const bool is_inside = item < COLUMNS && column >= 0 && column < TILE_X && row >= 0 && row < TILE_Y;
  const int x2 = tile_x.first + item % TILE_X, y2 = tile_y.first + item / TILE_X;
  int bits = (x == 0 ? FIRST_X : 0) | (x == NX - 1 ? LAST_X : 0) | (y == 0 ? FIRST_Y : 0) | (y == NY - 1 ? LAST_Y : 0);
  if (is_inside && tile_x.first + column >= tile_x.own && tile_y.first + row >= tile_y.own) bits |= COUNTS_1;
  if (item < TILE_X * TILE_Y && x2 >= tile_x.own && y2 >= tile_y.own) bits |= COUNTS_2;
  if (y == DRIVEN_ROW_OF(NY)) bits |= driven & DRIVEN_1;
  if (y2 == DRIVEN_ROW_OF(NY)) bits |= driven & DRIVEN_2;
  return bits;
}

/// Wraps a number at most one beyond 0 .. n-1.
FN int wrapped_once(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }

/// Two time steps of the whole grid from `source` to `target`. `partial_sums` gets two sums of |u| per group, that of
/// step 2 `sums_a_step` after that of step 1. `driven`: DRIVEN_1 and DRIVEN_2 if the body force of the next step is
/// part of step 1 and step 2.
kernel GROUP_OF(ITEMS) void plane_steps(int first_sum, int driven, global const STORED* restrict source,
                                        global STORED* restrict target, global const uint* restrict solid_bits,
                                        global SCALAR* restrict partial_sums, int sums_a_step, struct Relaxation c) {
  LOCAL_VARIABLE SCALAR values[24 * ITEMS];
  const int item = get_local_id(0), group = get_group_id(0);
  const int stripe = group / (TILES_X * STRIPE * CHUNKS), in_stripe = group % (TILES_X * STRIPE * CHUNKS);
  const int stripe_rows = min(STRIPE, TILES_Y - stripe * STRIPE), row_number = in_stripe / TILES_X;
  const struct Tile tile_x = tile_of(in_stripe % TILES_X, TILE_X, NX);
  const struct Tile tile_y = tile_of(stripe * STRIPE + row_number % stripe_rows, TILE_Y, NY);
  const struct Tile tile_z = tile_of(row_number / stripe_rows, PLANES, NZ);
  const bool is_edge =
      tile_x.first < 2 || tile_x.first + TILE_X > NX - 2 || tile_y.first < 2 || tile_y.first + TILE_Y > NY - 2;
  const bool has_step_2 = item < TILE_X * TILE_Y;
  const int at = min(item, COLUMNS - 1);  // items beyond repeat the work of the last one, in separate columns
  const int x = wrapped_once(tile_x.first + at % REGION_X - 1, NX);
  const int y = wrapped_once(tile_y.first + at / REGION_X - 1, NY);
  const int column = opaque_word(describe(item, tile_x, tile_y, x, y, driven) | (x & 31) << 8);
  const int from = WEST + y * ROW_VALUES + x, bits_from = y * BITS_IN_ROW + (x >> 5);
  local SCALAR* const mine = values + item;
  local const SCALAR* const here = values + (item / TILE_X + 1) * REGION_X + item % TILE_X + 1;
  SCALAR speeds_1 = 0, speeds_2 = 0;
  int up = UP * ITEMS;
  barrier(CLK_LOCAL_MEM_FENCE);  // see reduction.h
#pragma unroll 1
  for (int k = tile_z.first - 1; k <= tile_z.first + PLANES; ++k) {
    const int z = wrapped_once(k, NZ);
    struct Populations a =
        arrivals(opaque(source + one_before(z, NZ) * PLANE_VALUES + from), opaque(source + z * PLANE_VALUES + from),
                 opaque(source + one_after(z, NZ) * PLANE_VALUES + from), is_edge, column);
    const uint solid = solid_bits[z * (NY * BITS_IN_ROW) + bits_from] >> (column >> 8) & 1;
    const SCALAR speed = step_of_cell(&a, solid, column & DRIVEN_1, c);
    a.f[0] = marked(a.f[0], solid);
    if (k >= tile_z.own && k < tile_z.first + PLANES && (column & COUNTS_1)) speeds_1 += speed;
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
      if (lattice_cz[i] < 0) mine[(DOWN + slot[i]) * ITEMS] = a.f[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    struct Populations b;
    const bool is_made = has_step_2 && k > tile_z.first;
    if (is_made) {
      UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
        const int base = lattice_cz[i] == 0 ? 0 : lattice_cz[i] < 0 ? DOWN * ITEMS : up;
        b.f[i] = here[base + slot[i] * ITEMS - lattice_cy[i] * REGION_X - lattice_cx[i]];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED for (int i = 0; i < DIRECTIONS; ++i) {
      if (lattice_cz[i] == 0) mine[slot[i] * ITEMS] = a.f[i];
      if (lattice_cz[i] > 0) mine[up + slot[i] * ITEMS] = a.f[i];
    }
    up = (UP + NEXT_UP) * ITEMS - up;
    if (is_made) {
      const SCALAR speed_2 = step_of_cell(&b, mark_of(b.f[0]), column & DRIVEN_2, c);
      if (k > tile_z.own && (column & COUNTS_2)) speeds_2 += speed_2;
      b = dithered(b);
      const int own = opaque_word(item);  // otherwise the following values would occupy a register all the time
      const int to = WEST + (tile_y.first + own / TILE_X) * ROW_VALUES + tile_x.first + own % TILE_X;
      global STORED* const out = (global STORED*)opaque(target + (k - 1) * PLANE_VALUES + to);
      UNROLLED for (int i = 0; i < DIRECTIONS; ++i) STORE(b.f[i], out + i * PITCH);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const SCALAR sum_1 = work_group_sum(speeds_1, values);
  const SCALAR sum_2 = work_group_sum(speeds_2, values + ITEMS);
  if (item == 0) {
    partial_sums[first_sum + group] = sum_1 * c.speed_unit;
    partial_sums[first_sum + sums_a_step + group] = sum_2 * c.speed_unit;
  }
}
