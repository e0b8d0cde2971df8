// A step of the flow past a cylinder (Latt's script of 2006, as in Benchpress): D2Q9, BGK, populations of an open
// boundary regularised, walls and cylinder by bounce-back. A row of the lattice is a column of the channel: y is the
// coordinate along it. Populations stored between steps have collided but not yet moved.
#ifndef BOLTZMARK_COMMON_LBM_CYLINDER_LBM_CYLINDER_H
#define BOLTZMARK_COMMON_LBM_CYLINDER_LBM_CYLINDER_H

#include "common/target/border.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::lbm_cylinder {
using namespace target;
#endif

TARGET_STRUCT_OF(Cell) { REAL f[9]; };
TARGET_STRUCT_OF(Flow) { REAL rho, ux, uy; };

/// Offsets of a cell's neighbours: with smaller and greater x, with smaller and greater y.
typedef struct Neighbours {
  int left, right, below, above;
} Neighbours;
KERNEL_FN Neighbours next_to(int row) {
  Neighbours n;
  n.left = -row;
  n.right = row;
  n.below = -1;
  n.above = 1;
  return n;
}
/// The same without a halo at the ends of rows: y is periodic.
KERNEL_FN Neighbours around(int row, int y, int height) {
  Neighbours n = next_to(row);
  if (y == 0) n.below += height;
  if (y == height - 1) n.above -= height;
  return n;
}

/// Populations arriving at the cells of a chunk, or at those `away` from it.
TARGET TARGET_STRUCT(Cell) arriving(FIELD f, Chunk chunk, int away, Neighbours n) {
  TARGET_STRUCT(Cell) cell;
  cell.f[0] = NEAR(f, 0, chunk, away);
  cell.f[1] = NEAR(f, 1, chunk, away + n.left);
  cell.f[2] = NEAR(f, 2, chunk, away + n.below);
  cell.f[3] = NEAR(f, 3, chunk, away + n.right);
  cell.f[4] = NEAR(f, 4, chunk, away + n.above);
  cell.f[5] = NEAR(f, 5, chunk, away + n.left + n.below);
  cell.f[6] = NEAR(f, 6, chunk, away + n.right + n.below);
  cell.f[7] = NEAR(f, 7, chunk, away + n.right + n.above);
  cell.f[8] = NEAR(f, 8, chunk, away + n.left + n.above);
  return cell;
}

TARGET TARGET_STRUCT(Flow) flow_of(TARGET_STRUCT(Cell) c) {
  TARGET_STRUCT(Flow) flow;
  const REAL right = c.f[1] + c.f[5] + c.f[8], left = c.f[3] + c.f[6] + c.f[7];
  flow.rho = c.f[0] + c.f[2] + c.f[4] + right + left;
  const REAL per_rho = near_ratio((SCALAR)1, flow.rho);
  flow.ux = (right - left) * per_rho;
  flow.uy = (c.f[2] + c.f[5] + c.f[6] - c.f[4] - c.f[7] - c.f[8]) * per_rho;
  return flow;
}

TARGET TARGET_STRUCT(Cell) equilibrium(TARGET_STRUCT(Flow) u) {
  TARGET_STRUCT(Cell) e;
  const REAL rest = TARGET_BROADCAST((SCALAR)1) - (u.ux * u.ux + u.uy * u.uy) * (SCALAR)1.5;
  const REAL axis = u.rho * (SCALAR)(1.0 / 9.0), diagonal = u.rho * (SCALAR)(1.0 / 36.0);
  const REAL x2 = u.ux * u.ux * (SCALAR)4.5 + rest, y2 = u.uy * u.uy * (SCALAR)4.5 + rest;
  const REAL up = u.ux + u.uy, down = u.ux - u.uy;
  const REAL up2 = up * up * (SCALAR)4.5 + rest, down2 = down * down * (SCALAR)4.5 + rest;
  e.f[0] = u.rho * (SCALAR)(4.0 / 9.0) * rest;
  e.f[1] = axis * (x2 + u.ux * (SCALAR)3);
  e.f[3] = axis * (x2 - u.ux * (SCALAR)3);
  e.f[2] = axis * (y2 + u.uy * (SCALAR)3);
  e.f[4] = axis * (y2 - u.uy * (SCALAR)3);
  e.f[5] = diagonal * (up2 + up * (SCALAR)3);
  e.f[7] = diagonal * (up2 - up * (SCALAR)3);
  e.f[8] = diagonal * (down2 + down * (SCALAR)3);
  e.f[6] = diagonal * (down2 - down * (SCALAR)3);
  return e;
}

/// Stores the populations leaving, or, in an obstacle, those that bounced back.
TARGET void leave(FIELD next, FIELD solid, Chunk chunk, TARGET_STRUCT(Cell) came, TARGET_STRUCT(Cell) out) {
  const TARGET_MASK is_solid = AT(solid, 0, chunk) > (SCALAR)0.5;
  SET_PAST(next, 0, chunk, choose(is_solid, came.f[0], out.f[0]));
  SET_PAST(next, 1, chunk, choose(is_solid, came.f[3], out.f[1]));
  SET_PAST(next, 2, chunk, choose(is_solid, came.f[4], out.f[2]));
  SET_PAST(next, 3, chunk, choose(is_solid, came.f[1], out.f[3]));
  SET_PAST(next, 4, chunk, choose(is_solid, came.f[2], out.f[4]));
  SET_PAST(next, 5, chunk, choose(is_solid, came.f[7], out.f[5]));
  SET_PAST(next, 6, chunk, choose(is_solid, came.f[8], out.f[6]));
  SET_PAST(next, 7, chunk, choose(is_solid, came.f[5], out.f[7]));
  SET_PAST(next, 8, chunk, choose(is_solid, came.f[6], out.f[8]));
}

TARGET void collide(FIELD now, FIELD next, FIELD solid, Chunk chunk, Neighbours n, SCALAR omega_of) {
  const TARGET_STRUCT(Cell) came = TARGET_CALL(arriving)(now, chunk, 0, n);
  TARGET_STRUCT(Cell) out = TARGET_CALL(equilibrium)(TARGET_CALL(flow_of)(came));
  TARGET_UNROLL for (int i = 0; i < 9; ++i) out.f[i] = came.f[i] - (came.f[i] - out.f[i]) * omega_of;
  TARGET_CALL(leave)(next, solid, chunk, came, out);
}
TARGET_ENTRY inside(TARGET_SITES, FIELD now, FIELD next, FIELD solid, SCALAR omega_of) {
  TARGET_TLP(sites, chunk) TARGET_CALL(collide)(now, next, solid, chunk, next_to(sites.row_pitch), omega_of);
}
/// An open boundary's equilibrium, and of its deviation the part in xy alone, `shear`: 18 w c_x c_y of it.
TARGET TARGET_STRUCT(Cell) regularised(TARGET_STRUCT(Cell) e, REAL shear) {
  const REAL part = shear * (SCALAR)0.5;
  e.f[5] = e.f[5] + part;
  e.f[6] = e.f[6] - part;
  e.f[7] = e.f[7] + part;
  e.f[8] = e.f[8] - part;
  return e;
}

/// Populations leaving a cell of the inflow, whose speed is a parabola between the walls; y is 1/2 in the lowest cell.
TARGET TARGET_STRUCT(Cell) inflow(TARGET_STRUCT(Cell) came, REAL y, SCALAR length, SCALAR speed) {
  TARGET_STRUCT(Flow) u;
  u.ux = (y * length - y * y) * ((SCALAR)4 * speed / (length * length));
  u.uy = TARGET_BROADCAST((SCALAR)0);
  u.rho = (came.f[0] + came.f[2] + came.f[4] + (came.f[3] + came.f[6] + came.f[7]) * (SCALAR)2) *
          near_ratio((SCALAR)1, TARGET_BROADCAST((SCALAR)1) - u.ux);
  const TARGET_STRUCT(Cell) e = TARGET_CALL(equilibrium)(u);
  return TARGET_CALL(regularised)(e, came.f[7] - came.f[6] - e.f[7] + e.f[6]);
}

/// The same for the outflow: density and speed are extrapolated from the two cells before, as published, or the density
/// is 1.
TARGET TARGET_STRUCT(Cell)
    outflow(FIELD now, Chunk chunk, int row, Neighbours n, TARGET_STRUCT(Cell) came, int is_pressure) {
  TARGET_STRUCT(Flow) u;
  u.uy = TARGET_BROADCAST((SCALAR)0);
  if (is_pressure) {
    u.rho = TARGET_BROADCAST((SCALAR)1);
    u.ux = came.f[0] + came.f[2] + came.f[4] + (came.f[1] + came.f[5] + came.f[8]) * (SCALAR)2 - u.rho;
  } else {
    n.left = -row;
    n.right = row;
    const TARGET_STRUCT(Flow) one = TARGET_CALL(flow_of)(TARGET_CALL(arriving)(now, chunk, -row, n)),
                              two = TARGET_CALL(flow_of)(TARGET_CALL(arriving)(now, chunk, -2 * row, n));
    u.rho = one.rho * (SCALAR)(4.0 / 3.0) - two.rho * (SCALAR)(1.0 / 3.0);
    u.ux = one.ux * (SCALAR)(4.0 / 3.0) - two.ux * (SCALAR)(1.0 / 3.0);
  }
  const TARGET_STRUCT(Cell) e = TARGET_CALL(equilibrium)(u);
  return TARGET_CALL(regularised)(e, came.f[5] - came.f[8] - e.f[5] + e.f[8]);
}

/// A cell of the inflow, or of the outflow; y as above.
TARGET void open_end(FIELD now, FIELD next, FIELD solid, Chunk chunk, Neighbours n, int is_inflow, REAL y, SCALAR speed,
                     int row, int height, int is_pressure) {
  const TARGET_STRUCT(Cell) came = TARGET_CALL(arriving)(now, chunk, 0, n);
  if (is_inflow)
    TARGET_CALL(leave)(next, solid, chunk, came, TARGET_CALL(inflow)(came, y, (SCALAR)(height - 2), speed));
  else
    TARGET_CALL(leave)(next, solid, chunk, came, TARGET_CALL(outflow)(now, chunk, row, n, came, is_pressure));
}
/// The columns of the inflow, which begins at the site `origin`, and of the outflow.
TARGET_ENTRY open_ends(TARGET_SITES, FIELD now, FIELD next, FIELD solid, SCALAR speed, int origin, int row, int height,
                       int is_pressure) {
  TARGET_TLP(sites, chunk) {
    const REAL y = TARGET_NUMBER_SINCE(chunk, origin) - TARGET_BROADCAST((SCALAR)0.5);
    TARGET_CALL(open_end)
    (now, next, solid, chunk, next_to(row), (int)TARGET_FIRST(chunk) < origin + height, y, speed, row, height,
     is_pressure);
  }
}

/// A whole step of this many columns in which each cell is a chunk and detects the ends of its row and of the channel,
/// so that no halo is needed.
TARGET_ENTRY whole_channel(TARGET_SITES, FIELD now, FIELD next, FIELD solid, SCALAR omega_of, SCALAR speed, int height,
                           int columns, int is_pressure) {
  TARGET_TLP(sites, chunk) {
    const int x = TARGET_ROW(sites, chunk), y = TARGET_COLUMN(sites, chunk), row = sites.row_pitch;
    Neighbours n = around(row, y, height);
    if (x > 0 && x < columns - 1) {
      TARGET_CALL(collide)(now, next, solid, chunk, n, omega_of);
    } else {
      n.left += x == 0 ? columns * row : 0;
      n.right -= x == 0 ? 0 : columns * row;
      TARGET_CALL(open_end)
      (now, next, solid, chunk, n, x == 0, TARGET_BROADCAST((SCALAR)y - (SCALAR)0.5), speed, row, height, is_pressure);
    }
  }
}

/// Populations after the move: the state that the original stores.
TARGET_ENTRY move(TARGET_SITES, FIELD now, FIELD moved) {
  TARGET_TLP(sites, chunk) {
    const TARGET_STRUCT(Cell) came = TARGET_CALL(arriving)(now, chunk, 0, next_to(sites.row_pitch));
    TARGET_UNROLL for (int i = 0; i < 9; ++i) SET(moved, i, chunk, came.f[i]);
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::lbm_cylinder
#endif

#endif
