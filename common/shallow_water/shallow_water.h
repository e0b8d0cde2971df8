// Shallow water by the two-step Lax-Wendroff scheme (Richtmyer): fluxes between neighbours after half a step, and cells
// after a whole one. A field has h, u = h times velocity along columns, and v along rows.
#ifndef BOLTZMARK_COMMON_SHALLOW_WATER_SHALLOW_WATER_H
#define BOLTZMARK_COMMON_SHALLOW_WATER_SHALLOW_WATER_H

#include "common/target/border.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::shallow_water {
using namespace target;
#endif

/// Height, and momentum along an axis and across it.
TARGET_STRUCT_OF(Water) { REAL h, along, across; };

/// From row to row value 1 is the momentum along, from column to column value 2.
TARGET TARGET_STRUCT(Water) water_at(FIELD water, Chunk chunk, int offset, int along) {
  TARGET_STRUCT(Water) w;
  w.h = NEAR(water, 0, chunk, offset);
  w.along = NEAR(water, along, chunk, offset);
  w.across = NEAR(water, 3 - along, chunk, offset);
  return w;
}

/// Flux across a surface, for water with known 1 / h.
TARGET TARGET_STRUCT(Water) flux_by(TARGET_STRUCT(Water) w, REAL per_h, SCALAR half_g) {
  const REAL speed = w.along * per_h;
  TARGET_STRUCT(Water) f;
  f.h = w.along;
  f.along = multiply_add(w.h * half_g, w.h, speed * w.along);
  f.across = speed * w.across;
  return f;
}

TARGET TARGET_STRUCT(Water) flux_of(TARGET_STRUCT(Water) w, SCALAR half_g) {
  return TARGET_CALL(flux_by)(w, near_ratio((SCALAR)1, w.h), half_g);
}

/// The sum of two neighbours after half a step: twice their mean, which saves a multiplication and rounds in the same
/// way.
TARGET TARGET_STRUCT(Water) between(TARGET_STRUCT(Water) a, TARGET_STRUCT(Water) b, TARGET_STRUCT(Water) flux_a,
                                    TARGET_STRUCT(Water) flux_b, SCALAR dt) {
  TARGET_STRUCT(Water) both;
  both.h = (a.h + b.h) - (flux_b.h - flux_a.h) * dt;
  both.along = (a.along + b.along) - (flux_b.along - flux_a.along) * dt;
  both.across = (a.across + b.across) - (flux_b.across - flux_a.across) * dt;
  return both;
}

/// Twice the flux across the edge between two neighbours.
TARGET TARGET_STRUCT(Water) edge_flux(TARGET_STRUCT(Water) a, TARGET_STRUCT(Water) b, TARGET_STRUCT(Water) flux_a,
                                      TARGET_STRUCT(Water) flux_b, SCALAR dt, SCALAR half_g) {
  return TARGET_CALL(flux_of)(TARGET_CALL(between)(a, b, flux_a, flux_b, dt), half_g * (SCALAR)0.5);
}
TARGET TARGET_STRUCT(Water) difference(TARGET_STRUCT(Water) a, TARGET_STRUCT(Water) b) {
  a.h = a.h - b.h;
  a.along = a.along - b.along;
  a.across = a.across - b.across;
  return a;
}
/// Twice the net outflow of a cell across both edges along an axis.
TARGET TARGET_STRUCT(Water) outflow(TARGET_STRUCT(Water) before, TARGET_STRUCT(Water) here, TARGET_STRUCT(Water) behind,
                                    TARGET_STRUCT(Water) flux, SCALAR dt, SCALAR half_g) {
  const TARGET_STRUCT(Water)
      in = TARGET_CALL(edge_flux)(before, here, TARGET_CALL(flux_of)(before, half_g), flux, dt, half_g),
      out = TARGET_CALL(edge_flux)(here, behind, flux, TARGET_CALL(flux_of)(behind, half_g), dt, half_g);
  return TARGET_CALL(difference)(out, in);
}

/// The same water, with the axes exchanged.
TARGET TARGET_STRUCT(Water) turned(TARGET_STRUCT(Water) w) {
  TARGET_STRUCT(Water) t;
  t.h = w.h;
  t.along = w.across;
  t.across = w.along;
  return t;
}

/// A cell after a whole step, from its net outflow along rows and along columns.
TARGET void store_cell(FIELD next, Chunk chunk, TARGET_STRUCT(Water) here, TARGET_STRUCT(Water) down,
                       TARGET_STRUCT(Water) right, SCALAR half_dt) {
  SET_PAST(next, 0, chunk, here.h - (down.h + right.h) * half_dt);
  SET_PAST(next, 1, chunk, here.along - (down.along + right.across) * half_dt);
  SET_PAST(next, 2, chunk, here.across - (down.across + right.along) * half_dt);
}

/// A whole step of all cells, each of which computes its four edges.
TARGET_ENTRY TARGET_APART step_of_cells(TARGET_SITES, FIELD now, FIELD next, SCALAR dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk) {
    const int pitch = sites.row_pitch;
    const TARGET_STRUCT(Water)
        here = TARGET_CALL(water_at)(now, chunk, 0, 1),
        across = TARGET_CALL(turned)(here), above = TARGET_CALL(water_at)(now, chunk, -pitch, 1),
        below = TARGET_CALL(water_at)(now, chunk, pitch, 1),
        down = TARGET_CALL(outflow)(above, here, below, TARGET_CALL(flux_of)(here, half_g), dt, half_g),
        left = TARGET_CALL(water_at)(now, chunk, -1, 2), right = TARGET_CALL(water_at)(now, chunk, 1, 2),
        beside = TARGET_CALL(outflow)(left, across, right, TARGET_CALL(flux_of)(across, half_g), dt, half_g);
    TARGET_CALL(store_cell)(next, chunk, here, down, beside, dt * (SCALAR)0.5);
  }
}

/// The cell `offset` away, or, if that is 0 (outside the border), the mirror image of this cell.
TARGET TARGET_STRUCT(Water) cell_or_mirror(FIELD water, Chunk chunk, int offset, int along) {
  TARGET_STRUCT(Water) w = TARGET_CALL(water_at)(water, chunk, offset, along);
  w.along = w.along * (offset == 0 ? (SCALAR)-1 : (SCALAR)1);
  return w;
}
/// A whole step in which each cell is a chunk: a thread goes down `at_once` rows, so that it reads the cells above and
/// below its own once, and computes fluxes between rows once. The border need not be filled.
TARGET_ENTRY step_down_rows(TARGET_SITES, FIELD now, FIELD next, int pitch, int at_once, int rows, int columns,
                            SCALAR dt, SCALAR half_g) {
  TARGET_TLP(sites, chunk) {
    const int first = TARGET_ROW(sites, chunk) * at_once, end = first + at_once < rows ? first + at_once : rows;
    const int to_left = TARGET_COLUMN(sites, chunk) == 0 ? 0 : -1,
              to_right = TARGET_COLUMN(sites, chunk) == columns - 1 ? 0 : 1;
    const TARGET_STRUCT(Water) above = TARGET_CALL(cell_or_mirror)(now, chunk, first == 0 ? 0 : -pitch, 1);
    TARGET_STRUCT(Water) here = TARGET_CALL(water_at)(now, chunk, 0, 1);
    REAL per_h = near_ratio((SCALAR)1, here.h);
    TARGET_STRUCT(Water) flux = TARGET_CALL(flux_by)(here, per_h, half_g);
    TARGET_STRUCT(Water)
    in = TARGET_CALL(edge_flux)(above, here, TARGET_CALL(flux_of)(above, half_g), flux, dt, half_g);
    for (int row = first; row < end; ++row) {
      const TARGET_STRUCT(Water) below = TARGET_CALL(cell_or_mirror)(now, chunk, row == rows - 1 ? 0 : pitch, 1);
      const REAL per_h_below = near_ratio((SCALAR)1, below.h);
      const TARGET_STRUCT(Water)
          flux_below = TARGET_CALL(flux_by)(below, per_h_below, half_g),
          out = TARGET_CALL(edge_flux)(here, below, flux, flux_below, dt, half_g),
          left = TARGET_CALL(cell_or_mirror)(now, chunk, to_left, 2),
          right = TARGET_CALL(cell_or_mirror)(now, chunk, to_right, 2), across = TARGET_CALL(turned)(here),
          beside = TARGET_CALL(outflow)(left, across, right, TARGET_CALL(flux_by)(across, per_h, half_g), dt, half_g);
      TARGET_CALL(store_cell)(next, chunk, here, TARGET_CALL(difference)(out, in), beside, dt * (SCALAR)0.5);
      here = below;
      per_h = per_h_below;
      flux = flux_below;
      in = out;
      chunk.site += pitch;
    }
  }
}

// Statement by statement: values between a site and the one before it, `offset` away, are stored at the site.

/// Flux along an axis of the momentum along it.
TARGET REAL pressure_at(FIELD water, Chunk chunk, int offset, int along, SCALAR half_g) {
  const REAL h = NEAR(water, 0, chunk, offset), momentum = NEAR(water, along, chunk, offset);
  return multiply_add(h * half_g, h, momentum * momentum * near_ratio((SCALAR)1, h));
}
/// Flux of either momentum along the other axis.
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
/// The momentum along the axis whose edges are `offset` apart; those of the other axis are `other_offset` apart.
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
