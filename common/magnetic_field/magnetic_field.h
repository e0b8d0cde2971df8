// The Sun's magnetic field above its surface as a sum of modes that decay with height: as sums, as a product of
// matrices one of which is generated on the fly, or axis by axis.
//
// Sites (i, j, k) are a layer i of height, a row j and a place k in it. Tables are layers of a field too.
#ifndef BOLTZMARK_COMMON_MAGNETIC_FIELD_MAGNETIC_FIELD_H
#define BOLTZMARK_COMMON_MAGNETIC_FIELD_MAGNETIC_FIELD_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::magnetic_field {
using namespace target;
#endif

/* Rows, or layers, whose sums are in registers together. */
#define MAGNETIC_TILE 8

/// First site of a chunk. A box of tiles has the pitches of tiles.
typedef struct Place {
  int layer, row, column;
} Place;
KERNEL_FN Place place_of(LONG site, int origin, int row_pitch, int layer_pitch) {
  const int at = (int)site - origin;
  Place place;
  place.layer = at / layer_pitch;
  place.row = (at - place.layer * layer_pitch) / row_pitch;
  place.column = at - place.layer * layer_pitch - place.row * row_pitch;
  return place;
}

/// Mode p, q at place p of row q: C exp(-r x), times its factor in each of the terms, whose tables follow one another.
/// Layers of `modes` are heights from number `first` on.
TARGET_ENTRY decay(TARGET_SITES, FIELD tables, int coefficient, int rate, int factor, FIELD modes, int terms,
                   int origin, LONG first, SCALAR spacing) {
  const int pitch = sites.layer_pitch;
  TARGET_TLP(sites, chunk) {
    const int layer = ((int)TARGET_FIRST(chunk) - origin) / pitch;
    const REAL exponent = NEAR(tables, 0, chunk, (rate - layer) * pitch) * -((SCALAR)(first + layer) * spacing);
    const REAL mode = NEAR(tables, 0, chunk, (coefficient - layer) * pitch) * exponential(exponent);
    for (int t = 0; t < terms; ++t) SET(modes, t, chunk, mode * NEAR(tables, 0, chunk, (factor + t - layer) * pitch));
  }
}

/// A layer of a matrix: its own for product number `term`, or one of the tables, given by four bits of `tables` each.
KERNEL_FN LONG layer_of(int tables, int term, int own) { return tables < 0 ? own : tables >> 4 * term & 15; }

/// A tile of rows of the product of two matrices, the left one transposed, so that the numbers of a tile are
/// contiguous. Each layer has its own matrix, in value `value`, or a table, which is a separate layer. After `layers`
/// layers come those of the next product, whose matrices are the next values.
TARGET_ENTRY product(TARGET_SITES, FIELD out, int value, int adds, FIELD left, int left_value, int left_tables,
                     FIELD right, int right_value, int right_tables, int layers, int n, int origin) {
  const int pitch = sites.row_pitch / MAGNETIC_TILE;
  TARGET_TLP(sites, chunk) {
    const Place at = place_of(TARGET_FIRST(chunk), origin, pitch, sites.layer_pitch);
    const int term = at.layer / layers, layer = at.layer - term * layers;
    FIELD of_left = left + (LONG)(left_value + (left_tables < 0 ? term : 0)) * sites.stride + origin + at.row +
                    layer_of(left_tables, term, layer) * sites.layer_pitch;
    FIELD of_right = right + (LONG)(right_value + (right_tables < 0 ? term : 0)) * sites.stride + origin + at.column +
                     layer_of(right_tables, term, layer) * sites.layer_pitch;
    REAL sums[MAGNETIC_TILE];
    UNROLLED for (int r = 0; r < MAGNETIC_TILE; ++r) sums[r] = TARGET_BROADCAST((SCALAR)0);
    for (int q = 0; q < n; ++q, of_left += pitch, of_right += pitch) {
      const REAL values = AT_SITE(of_right, 0);
      UNROLLED for (int r = 0; r < MAGNETIC_TILE; ++r) sums[r] = multiply_add(values, of_left[r], sums[r]);
    }
    UNROLLED for (int r = 0; r < MAGNETIC_TILE; ++r) {
      Chunk here = chunk;
      here.site += r * pitch - (LONG)term * layers * sites.layer_pitch;
      SET(out, value + term, here, adds ? AT(out, value + term, here) + sums[r] : sums[r]);
    }
  }
}

/* Sums over q that are in registers at a time: of two or eight neighbours p. */
#define MAGNETIC_PARTS 16
TARGET_NEIGHBOURS(Pair, 2);
TARGET_NEIGHBOURS(Eight, 8);

/// Adds to the sums of `layers` layers the modes with numbers p to p + of_p - 1: a sum over q each, times its common
/// factor.
TARGET void add_modes(REAL* sums, int layers, int of_p, FIELD modes, int layer_pitch, FIELD along_column,
                      FIELD along_row, int pitch, int n) {
  REAL parts[MAGNETIC_PARTS];
  UNROLLED for (int i = 0; i < layers * of_p; ++i) parts[i] = TARGET_BROADCAST((SCALAR)0);
  for (int q = 0; q < n; ++q) {
    const REAL at_column = AT_SITE(along_column, q * pitch);
    UNROLLED for (int i = 0; i < layers; ++i) {
      FIELD from = modes + (LONG)i * layer_pitch + q * pitch;
      if (of_p == 8) {
        const TARGET_STRUCT(Eight) of_q = AT_NEIGHBOURS(Eight, from);
        UNROLLED for (int p = 0; p < 8; ++p) parts[8 * i + p] = multiply_add(at_column, of_q.of[p], parts[8 * i + p]);
      } else if (of_p == 2) {
        const TARGET_STRUCT(Pair) of_q = AT_NEIGHBOURS(Pair, from);
        UNROLLED for (int p = 0; p < 2; ++p) parts[2 * i + p] = multiply_add(at_column, of_q.of[p], parts[2 * i + p]);
      } else {
        parts[i] = multiply_add(at_column, from[0], parts[i]);
      }
    }
  }
  UNROLLED for (int i = 0; i < layers * of_p; ++i) sums[i / of_p] =
      multiply_add(parts[i], along_row[i % of_p * pitch], sums[i / of_p]);
}

/// A term's sum over all modes at the sites of a chunk in each of `layers` layers, which share the factors of the mode
/// that depend on (j, k): these are the second of the two matrices, which is never stored.
TARGET void sum_modes(Sites sites, Chunk chunk, int layers, FIELD out, int value, int adds, FIELD modes, int term,
                      FIELD tables, int of_row, int of_column, int n, int origin) {
  const int pitch = sites.row_pitch, layer_pitch = sites.layer_pitch / layers;
  const Place at = place_of(TARGET_FIRST(chunk), origin, pitch, layer_pitch);
  FIELD of_layer = modes + (LONG)term * sites.stride + origin + (LONG)at.layer * layer_pitch;
  FIELD row = tables + origin + of_row * layer_pitch + at.row;
  FIELD column = tables + origin + of_column * layer_pitch + at.column;
  REAL sums[MAGNETIC_TILE];
  UNROLLED for (int i = 0; i < layers; ++i) sums[i] = TARGET_BROADCAST((SCALAR)0);
  int p = 0;
  const int of_p = layers == 1 ? 8 : 2;
  for (; p + of_p <= n; p += of_p)
    TARGET_CALL(add_modes)(sums, layers, of_p, of_layer + p, layer_pitch, column, row + p * pitch, pitch, n);
  for (; p < n; ++p)
    TARGET_CALL(add_modes)(sums, layers, 1, of_layer + p, layer_pitch, column, row + p * pitch, pitch, n);
  UNROLLED for (int i = 0; i < layers; ++i) {
    Chunk here = chunk;
    here.site += (LONG)i * layer_pitch;
    SET(out, value, here, adds ? AT(out, value, here) + sums[i] : sums[i]);
  }
}

/// As in the equations.
TARGET_ENTRY sums(TARGET_SITES, FIELD out, int value, int adds, FIELD modes, int term, FIELD tables, int of_row,
                  int of_column, int n, int origin) {
  TARGET_TLP(sites, chunk)
  TARGET_CALL(sum_modes)(sites, chunk, 1, out, value, adds, modes, term, tables, of_row, of_column, n, origin);
}

/// The same with the modes of each point as a row of numbers to sum.
TARGET_ENTRY row_sums(TARGET_SITES, FIELD out, int value, int adds, FIELD modes, int term, FIELD tables, int of_row,
                      int of_column, int n, int origin) {
  const int pitch = sites.row_pitch, layer_pitch = sites.layer_pitch;
  TARGET_ROW_SUMS(1);
  TARGET_ROWS(sites, row) {
    const Place at = place_of(TARGET_FIRST(row), origin, pitch, layer_pitch);
    const LONG first = (LONG)term * sites.stride + origin + (LONG)at.layer * layer_pitch;
    // Sines and cosines of (p, j) are those of (j, p).
    const int along_row = origin + of_row * layer_pitch + at.row * pitch,
              along_column = origin + of_column * layer_pitch + at.column * pitch;
    REAL sum = TARGET_BROADCAST((SCALAR)0);
    for (int q = 0; q < n; ++q) {
      REAL of_q = TARGET_BROADCAST((SCALAR)0);
      TARGET_ALONG_ROW(n, p)
      of_q = multiply_add(IN_ROW(AT_SITE(modes, first + q * pitch + p), p, n), AT_SITE(tables, along_row + p), of_q);
      sum = multiply_add(of_q, tables[along_column + q], sum);
    }
    const SCALAR all = TARGET_ROW_SUM(0, sum);
    SET_ROW(out, value, row, adds ? AT_ROW(out, value, row) + all : all);
  }
}

/// As a product of matrices: rows of one are the modes of layers, columns of the other are generated.
TARGET_ENTRY tiled_sums(TARGET_SITES, FIELD out, int value, int adds, FIELD modes, int term, FIELD tables, int of_row,
                        int of_column, int n, int origin) {
  TARGET_TLP(sites, chunk)
  TARGET_CALL(sum_modes)
  (sites, chunk, MAGNETIC_TILE, out, value, adds, modes, term, tables, of_row, of_column, n, origin);
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::magnetic_field
#endif

#endif
