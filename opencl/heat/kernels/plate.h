// Shared by the kernels: grids with a border of one cell, row by row. The host defines WIDTH and HEIGHT, the cells
// inside, PITCH, the values of a row in memory, and LEAD, those before column 0: vectors of LANES cells begin at
// multiples of their size, and the last one of a row may extend into the border and beyond.
#include "common/device/bands.h"
#include "opencl/runtime/kernels/sum_steps.h"

#ifdef OPENCL_C_IN_CUDA  // with the exact shape, NVRTC makes strip a tenth to a third slower
#define HEAT_KERNEL kernel GROUP_OF((GROUP_X) * (GROUP_Y)) void
#else
#define HEAT_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void
#endif

/// Items have ROWS rows each, downwards: of the plate, or, with BANDS, of the rows of the launch, which end at END_ROW.
/// A step leaves SUMS_OF_STEP partial sums; with BANDS they are those of several launches.
#ifdef BANDS
#define BANDS_PARAMETER struct Bands bands,
#define FIRST_ROW(item) first_row(bands, item)
#define END_ROW(item) end_row(bands, item)
#define SUMS_OF_STEP SUMS_A_STEP
FN int southern_items(struct Bands bands) { return (bands.south_rows + ROWS - 1) / ROWS; }
FN int first_row(struct Bands bands, int item) {
  const int south = southern_items(bands);
  return item < south ? bands.south + item * ROWS : bands.north + (item - south) * ROWS;
}
FN int end_row(struct Bands bands, int item) {
  return item < southern_items(bands) ? bands.south + bands.south_rows : bands.north + bands.north_rows;
}
#else
#define BANDS_PARAMETER
#define FIRST_ROW(item) ((item)*ROWS)
#define END_ROW(item) HEIGHT
#define SUMS_OF_STEP get_num_groups(0) * get_num_groups(1)
#endif

/// A step; each group stores the sum of its changes. `scratch`: one value per work-item.
#define ADVANCE_KERNEL                                                                                               \
  HEAT_KERNEL advance(BANDS_PARAMETER int first_sum, global const SCALAR* restrict from, global SCALAR* restrict to, \
                      global SCALAR* restrict partial_sums, LOCAL_PARAMETER(SCALAR) scratch)
FN void leave_change(SCALAR change, global SCALAR* partial_sums, int first_sum, local SCALAR* scratch) {
  change = work_group_sum(change, scratch);
  if (item_number() == 0) partial_sums[first_sum + group_number()] = change;
}

/// Cell (row y, column x); the border is at -1 and HEIGHT, -1 and WIDTH.
#define AT(grid, y, x) grid[(size_t)((y) + 1) * PITCH + LEAD + (x)]

/// Whether row y counts towards the delta: rows of a halo are counted by their owner. The host defines COUNT_BEGIN and
/// COUNT_END.
#define COUNTS(y) ((COUNT_BEGIN == 0 || (y) >= COUNT_BEGIN) && (COUNT_END == HEIGHT || (y) < COUNT_END))
/// The first counted row from `begin` on, and the end of the counted rows before `end`.
#define COUNTED_BEGIN(begin) (COUNT_BEGIN > 0 ? max(begin, COUNT_BEGIN) : (begin))
#define COUNTED_END(end) (COUNT_END < HEIGHT ? min(end, COUNT_END) : (end))

#define IS_INSIDE(y, x) ((y) < HEIGHT && (x) < WIDTH)

/// A step of one cell.
#define MEAN(centre, north, south, west, east) ((SCALAR)0.2 * ((centre) + ((north) + (south)) + ((west) + (east))))

/// Cell (y, x) of `from` a step later.
FN SCALAR step_of_cell(global const SCALAR* from, int y, int x) {
  return MEAN(AT(from, y, x), AT(from, y - 1, x), AT(from, y + 1, x), AT(from, y, x - 1), AT(from, y, x + 1));
}

/// LANES cells, starting at a multiple of their size.
#define VECTOR_AT(grid, y, x) (*(global REAL*)&AT(grid, y, x))
#define CONST_VECTOR_AT(grid, y, x) (*(global const REAL*)&AT(grid, y, x))

/// The western neighbours of LANES cells from (y, x) on, and the eastern ones, as far as they are not these cells. For
/// short vectors this is one value, and the rest is in registers; long vectors are read, because processors have
/// unaligned loads.
#if LANES <= 4
#define SIDE SCALAR
#define WEST_SIDE(grid, y, x) AT(grid, y, (x)-1)
#define EAST_SIDE(grid, y, x) AT(grid, y, (x) + LANES)
#else
#define SIDE REAL
#define WEST_SIDE(grid, y, x) LOAD_UNALIGNED(&AT(grid, y, (x)-1))
#define EAST_SIDE(grid, y, x) LOAD_UNALIGNED(&AT(grid, y, (x) + 1))
#endif
#if defined __x86_64__ && !defined OPENCL_C_IN_CUDA  // PoCL turns vload into loads of two values each
typedef REAL UNALIGNED_REAL __attribute__((aligned(sizeof(SCALAR))));
#define LOAD_UNALIGNED(from) (*(global const UNALIGNED_REAL*)(from))
#else
#define LOAD_UNALIGNED(from) LOAD(from)
#endif
#if LANES == 2
#define WEST_OF(side, centre) (VECTOR(REAL)(side, (centre).x))
#define EAST_OF(side, centre) (VECTOR(REAL)((centre).y, side))
#elif LANES == 4
#define WEST_OF(side, centre) (VECTOR(REAL)(side, (centre).x, (centre).y, (centre).z))
#define EAST_OF(side, centre) (VECTOR(REAL)((centre).y, (centre).z, (centre).w, side))
#else
#define WEST_OF(side, centre) (side)
#define EAST_OF(side, centre) (side)
#endif

/// Those of LANES cells from column x on that are inside the plate: all, except at the end of a row.
FN MASK lanes_inside(int x) {
  const int left = WIDTH - x;
#if LANES == 1
  return left > 0;
#else
  return mask_from_bits(left >= LANES ? 0xffffu : (1u << max(left, 0)) - 1u);
#endif
}

/// A step of LANES cells with these sides; cells outside do not change, so they add nothing.
#define STEP_OF_VECTOR(centre, north, south, west_side, east_side, inside) \
  choose(inside, MEAN(centre, north, south, WEST_OF(west_side, centre), EAST_OF(east_side, centre)), centre)
