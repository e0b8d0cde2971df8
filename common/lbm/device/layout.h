// The layout of a grid's values in its buffer; for the host and the kernels.
//
//   one row:  | padding, west ghost | f0 of x = 0 .. nx-1 | padding |  then the same for f1, f2, ...
//
// Rows follow one another, those of a layer of z first, and `west` values follow the last. All directions of a
// row are close together, so what a step reads and writes is at fixed distances from a few addresses.
//
// The ghost columns hold the periodic neighbours, so that every load of an update is a plain one: x = -1 for the
// populations that move east, x = nx for those that move west (that may be the first padding value of the next
// segment). Only two grids of D2Q9 have them: they cost separate memory transactions, and in three dimensions, where
// ten of the directions need one and rows are short, they would take 6 % of a step.
//
// The unit of division is the layer of the slowest axis: a row in two dimensions, a plane in three. The layers are
// those of the whole grid, as a ring, or those of a strip with `halo` layers at either end that belong to the
// neighbouring strips. In a strip no update reads beyond these, so no layer is ever wrapped.
#ifndef BOLTZMARK_OPENCL_LAYOUT_H
#define BOLTZMARK_OPENCL_LAYOUT_H

#include "common/device/bands.h"

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
namespace boltzmark::lbm {
#endif

struct Layout {
  int nx, ny, nz; /* cells; the halo layers count */
  int directions; /* segments in a row */
  int vectors;    /* vectors of LANES cells in a row; the last may reach beyond nx */
  int west;       /* values before the first row, at least 2 */
  int pitch;      /* values from one direction's segment to the next */
  int mask_words; /* 32-bit words per row of the solid mask; bit x%32 of word x/32, set beyond nx too
                   */
  int halo;       /* layers at either end that belong to other strips, 0 in a ring */
  int period;     /* layers of the whole grid: so many apart, two are the same one */
};

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
}  // namespace boltzmark::lbm
#endif

#endif
