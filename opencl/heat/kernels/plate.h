// What the kernels have in common: grids with a border of one cell all round, row by row. The host defines WIDTH and HEIGHT,
// the cells inside, PITCH, the values of a row in memory, and LEAD, those before column 0: vectors of LANES cells begin at
// multiples of their size, and the last one of a row may hang over, into the border and behind it.
#include "opencl/runtime/kernels/sum_steps.h"

#define HEAT_KERNEL kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void

/// Cell (row y, column x); the border is at -1 and HEIGHT, -1 and WIDTH.
#define AT(grid, y, x) grid[(size_t)((y) + 1) * PITCH + LEAD + (x)]

#define IS_INSIDE(y, x) ((y) < HEIGHT && (x) < WIDTH)

/// A step of one cell.
#define MEAN(centre, north, south, west, east) \
  ((SCALAR)0.2 * ((centre) + ((north) + (south)) + ((west) + (east))))

/// Cell (y, x) of `from` a step later.
FN SCALAR step_of_cell(global const SCALAR* from, int y, int x) {
  return MEAN(AT(from, y, x), AT(from, y - 1, x), AT(from, y + 1, x), AT(from, y, x - 1), AT(from, y, x + 1));
}

/// LANES cells that begin at a multiple of their size.
#define VECTOR_AT(grid, y, x) (*(global REAL*)&AT(grid, y, x))
#define CONST_VECTOR_AT(grid, y, x) (*(global const REAL*)&AT(grid, y, x))

/// The western neighbours of the vector `centre` of cells from (y, x) on, and the eastern ones. Short vectors are made of
/// what is in registers and one value more, long ones are read: that is what processors have unaligned loads for.
#if LANES == 1
#define WEST_OF(grid, y, x, centre) AT(grid, y, (x)-1)
#define EAST_OF(grid, y, x, centre) AT(grid, y, (x) + 1)
#elif LANES == 2
#define WEST_OF(grid, y, x, centre) (VECTOR(REAL)(AT(grid, y, (x)-1), (centre).x))
#define EAST_OF(grid, y, x, centre) (VECTOR(REAL)((centre).y, AT(grid, y, (x) + 2)))
#elif LANES == 4
#define WEST_OF(grid, y, x, centre) (VECTOR(REAL)(AT(grid, y, (x)-1), (centre).x, (centre).y, (centre).z))
#define EAST_OF(grid, y, x, centre) (VECTOR(REAL)((centre).y, (centre).z, (centre).w, AT(grid, y, (x) + 4)))
#else
#define WEST_OF(grid, y, x, centre) LOAD(&AT(grid, y, (x)-1))
#define EAST_OF(grid, y, x, centre) LOAD(&AT(grid, y, (x) + 1))
#endif

/// Of LANES cells from column x on those inside the plate: all, but at the end of a row.
FN MASK lanes_inside(int x) {
  const int left = WIDTH - x;
#if LANES == 1
  return left > 0;
#else
  return mask_from_bits(left >= LANES ? 0xffffu : (1u << max(left, 0)) - 1u);
#endif
}

/// A step of LANES cells from (y, x) on; cells outside stay as they are, so that they add no change.
#define STEP_OF_VECTOR(grid, y, x, centre, north, south, inside) \
  choose(inside, MEAN(centre, north, south, WEST_OF(grid, y, x, centre), EAST_OF(grid, y, x, centre)), centre)
