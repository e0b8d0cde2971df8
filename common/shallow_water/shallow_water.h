// Shallow water by the two-step Lax-Wendroff scheme (Richtmyer): fluxes between neighbours after half a step, and cells
// after a whole one. A field has h, u = h times velocity along columns, and v along rows.
#ifndef BOLTZMARK_COMMON_SHALLOW_WATER_SHALLOW_WATER_H
#define BOLTZMARK_COMMON_SHALLOW_WATER_SHALLOW_WATER_H

#include "common/target/border.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::shallow_water {
using namespace target;
#endif

/// Height, and momentum along the axis that is looked at and across it.
TARGET_STRUCT_OF(Water) { REAL h, along, across; };

/// From row to row value 1 is the momentum along, from column to column value 2.
TARGET TARGET_STRUCT(Water) water_at(FIELD water, Chunk chunk, int offset, int along) {
  TARGET_STRUCT(Water) w;
  w.h = NEAR(water, 0, chunk, offset);
  w.along = NEAR(water, along, chunk, offset);
  w.across = NEAR(water, 3 - along, chunk, offset);
  return w;
}

TARGET TARGET_STRUCT(Water) flux_of(TARGET_STRUCT(Water) w, SCALAR half_g) {
  const REAL speed = w.along * near_ratio((SCALAR)1, w.h);
  TARGET_STRUCT(Water) f;
  f.h = w.along;
  f.along = multiply_add(w.h * half_g, w.h, speed * w.along);
  f.across = speed * w.across;
  return f;
}

/// Two neighbours after half a step, added up: twice their mean, as that saves a multiplication and rounds alike.
TARGET TARGET_STRUCT(Water) between(TARGET_STRUCT(Water) a, TARGET_STRUCT(Water) b, TARGET_STRUCT(Water) flux_a,
                                    TARGET_STRUCT(Water) flux_b, SCALAR dt) {
  TARGET_STRUCT(Water) both;
  both.h = (a.h + b.h) - (flux_b.h - flux_a.h) * dt;
  both.along = (a.along + b.along) - (flux_b.along - flux_a.along) * dt;
  both.across = (a.across + b.across) - (flux_b.across - flux_a.across) * dt;
  return both;
}

/// The cell `offset` away, or behind the border a mirror image.
TARGET TARGET_STRUCT(Water)
    neighbour(FIELD water, Chunk chunk, int offset, int along, TARGET_STRUCT(Water) here, int is_behind_border) {
  TARGET_STRUCT(Water) w = TARGET_CALL(water_at)(water, chunk, offset, along);
  w.h = is_behind_border ? here.h : w.h;
  w.along = is_behind_border ? here.along * (SCALAR)-1 : w.along;
  w.across = is_behind_border ? here.across : w.across;
  return w;
}

/// Twice what flows across both edges of a cell along an axis, out minus in.
TARGET TARGET_STRUCT(Water) outflow(FIELD water, Chunk chunk, int offset, int along, TARGET_STRUCT(Water) here,
                                    int is_first, int is_last, SCALAR dt, SCALAR half_g) {
  const TARGET_STRUCT(Water)
      before = TARGET_CALL(neighbour)(water, chunk, -offset, along, here, is_first),
      behind = TARGET_CALL(neighbour)(water, chunk, offset, along, here, is_last),
      flux = TARGET_CALL(flux_of)(here, half_g), flux_before = TARGET_CALL(flux_of)(before, half_g),
      flux_behind = TARGET_CALL(flux_of)(behind, half_g),
      first = TARGET_CALL(between)(before, here, flux_before, flux, dt),
      second = TARGET_CALL(between)(here, behind, flux, flux_behind, dt),
      in = TARGET_CALL(flux_of)(first, half_g * (SCALAR)0.5), out = TARGET_CALL(flux_of)(second, half_g * (SCALAR)0.5);
  TARGET_STRUCT(Water) all;
  all.h = out.h - in.h;
  all.along = out.along - in.along;
  all.across = out.across - in.across;
  return all;
}

/// A whole step of a chunk's cells, which make their four edges by themselves: row and column number `row`, `column` of
/// so many.
TARGET void step_of_chunk(FIELD now, FIELD next, Chunk chunk, int pitch, int row, int rows, int column, int columns,
                          SCALAR dt, SCALAR half_g) {
  const SCALAR half_dt = dt * (SCALAR)0.5;
  const TARGET_STRUCT(Water) here = TARGET_CALL(water_at)(now, chunk, 0, 1);
  TARGET_STRUCT(Water) turned;
  turned.h = here.h;
  turned.along = here.across;
  turned.across = here.along;
  const TARGET_STRUCT(Water)
      down = TARGET_CALL(outflow)(now, chunk, pitch, 1, here, row == 0, row == rows - 1, dt, half_g),
      right = TARGET_CALL(outflow)(now, chunk, 1, 2, turned, column == 0, column == columns - 1, dt, half_g);
  SET_PAST(next, 0, chunk, here.h - (down.h + right.h) * half_dt);
  SET_PAST(next, 1, chunk, here.along - (down.along + right.across) * half_dt);
  SET_PAST(next, 2, chunk, here.across - (down.across + right.along) * half_dt);
}

TARGET_ENTRY TARGET_APART step_of_cells(TARGET_SITES, FIELD now, FIELD next, SCALAR dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk) TARGET_CALL(step_of_chunk)(now, next, chunk, sites.row_pitch, 1, 3, 1, 3, dt, half_g);
}
/// The same where each cell is a chunk and sees whether it is next to the border, which then need not be filled.
TARGET_ENTRY step_of_plane(TARGET_SITES, FIELD now, FIELD next, int rows, int columns, SCALAR dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk)
  TARGET_CALL(step_of_chunk)
  (now, next, chunk, sites.row_pitch, TARGET_ROW(sites, chunk), rows, TARGET_COLUMN(sites, chunk), columns, dt, half_g);
}

// Statement by statement: what is between a site and the one before it, `offset` away, is stored at the site.

/// Of the momentum along an axis, what flows along it.
TARGET REAL pressure_at(FIELD water, Chunk chunk, int offset, int along, SCALAR half_g) {
  const REAL h = NEAR(water, 0, chunk, offset), momentum = NEAR(water, along, chunk, offset);
  return multiply_add(h * half_g, h, momentum * momentum * near_ratio((SCALAR)1, h));
}
/// Of either momentum, what flows along the other axis.
TARGET REAL crossing_at(FIELD water, Chunk chunk, int offset) {
  return NEAR(water, 1, chunk, offset) * NEAR(water, 2, chunk, offset) *
         near_ratio((SCALAR)1, NEAR(water, 0, chunk, offset));
}
TARGET REAL mean_at(FIELD water, int value, Chunk chunk, int offset) {
  return (AT(water, value, chunk) + NEAR(water, value, chunk, -offset)) * (SCALAR)0.5;
}

TARGET_ENTRY edge_height(TARGET_SITES, FIELD water, FIELD edges, int offset, int along, SCALAR half_dt) {
  TARGET_TLP(sites, chunk) {
    const REAL difference = AT(water, along, chunk) - NEAR(water, along, chunk, -offset);
    SET(edges, 0, chunk, TARGET_CALL(mean_at)(water, 0, chunk, offset) - difference * half_dt);
  }
}
TARGET_ENTRY edge_along(TARGET_SITES, FIELD water, FIELD edges, int offset, int along, SCALAR half_dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk) {
    const REAL difference = TARGET_CALL(pressure_at)(water, chunk, 0, along, half_g) -
                            TARGET_CALL(pressure_at)(water, chunk, -offset, along, half_g);
    SET(edges, along, chunk, TARGET_CALL(mean_at)(water, along, chunk, offset) - difference * half_dt);
  }
}
TARGET_ENTRY edge_across(TARGET_SITES, FIELD water, FIELD edges, int offset, int across, SCALAR half_dt) {
  TARGET_TLP(sites, chunk) {
    const REAL difference = TARGET_CALL(crossing_at)(water, chunk, 0) - TARGET_CALL(crossing_at)(water, chunk, -offset);
    SET(edges, across, chunk, TARGET_CALL(mean_at)(water, across, chunk, offset) - difference * half_dt);
  }
}
TARGET_ENTRY cell_height(TARGET_SITES, FIELD water, FIELD below, FIELD beside, SCALAR dt) {
  TARGET_TLP(sites, chunk) {
    const REAL down = NEAR(below, 1, chunk, sites.row_pitch) - AT(below, 1, chunk),
               right = NEAR(beside, 2, chunk, 1) - AT(beside, 2, chunk);
    SET(water, 0, chunk, AT(water, 0, chunk) - (down + right) * dt);
  }
}
/// The momentum along the axis on which `edges` are `offset` apart, which others cross that are `other_offset` apart.
TARGET_ENTRY cell_momentum(TARGET_SITES, FIELD water, FIELD edges, int offset, FIELD others, int other_offset,
                           int along, SCALAR dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk) {
    const REAL difference = TARGET_CALL(pressure_at)(edges, chunk, offset, along, half_g) -
                            TARGET_CALL(pressure_at)(edges, chunk, 0, along, half_g),
               crossing =
                   TARGET_CALL(crossing_at)(others, chunk, other_offset) - TARGET_CALL(crossing_at)(others, chunk, 0);
    SET(water, along, chunk, AT(water, along, chunk) - (difference + crossing) * dt);
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::shallow_water
#endif

#endif
