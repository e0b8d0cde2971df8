// Where a grid's values lie in its buffer; read by the host and by the kernels.
//
//   one row:  | padding, west ghost | f0 of x = 0 .. nx-1 | padding |  then the same for f1 .. f8
//
// The ghost columns hold the periodic neighbours, so that every load of an update is a plain one: x = -1 for
// the populations that move east, x = nx for those that move west (that may be the first padding value of the
// next segment). Rows lie behind one another, and `west` values follow the last.
//
// The rows are the whole grid's, a ring. Or they are a strip of it with `halo` rows at either end that belong
// to the strips beside it: then nothing is updated from beyond these, so no row is ever wrapped.
#ifndef BOLTZMARK_OPENCL_LAYOUT_H
#define BOLTZMARK_OPENCL_LAYOUT_H

#ifdef __cplusplus
namespace boltzmark::opencl {
#endif

struct Layout {
  int nx, ny;     /* cells; the halo rows count */
  int vectors;    /* vectors of LANES cells in a row; the last may reach beyond nx */
  int west;       /* values before x = 0 in each segment, at least 2 */
  int pitch;      /* values from one direction's segment to the next */
  int mask_words; /* 32-bit words per row of the solid mask; bit x%32 of word x/32, set beyond nx too
                   */
  int halo;       /* rows at either end that belong to other strips, 0 in a ring */
  int period;     /* rows of the whole grid: so many rows apart, two rows are the same one */
};

/// Rows that a launch updates: `south_rows` from `south` on, and `north_rows` from `north` on.
struct Bands {
  int south, south_rows;
  int north, north_rows;
};

#ifdef __cplusplus
}  // namespace boltzmark::opencl
#endif

#endif
