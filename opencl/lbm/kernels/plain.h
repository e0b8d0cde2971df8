// Grids of populations, one after another: value i of cell (x, y) at i * CELLS + x + y * NX. The host defines the size
// of the grid, NX x NY, so that no index needs a division.
#ifndef BOLTZMARK_OPENCL_PLAIN_H
#define BOLTZMARK_OPENCL_PLAIN_H

#include "cells.h"

#define CELLS ((size_t)NX * NY)
#ifndef PERIOD /* of a strip with halo rows the host says which row the body force acts on, and the whole \
                  grid's rows */
#define PERIOD NY
#define DRIVEN_ROW DRIVEN_ROW_OF(NY)
#endif
#define MASK_WORDS ((NX + 31) / 32) /* of a row of solid bits, as in layout.h */

/// 0 <= result < n, and equal to `at` modulo n.
FN int wrapped(int at, int n) {
  const int rest = at % n;
  return rest < 0 ? rest + n : rest;
}

FN bool is_solid(global const uint* solid_bits, int x, int y) {
  return (solid_bits[(size_t)y * MASK_WORDS + (x >> 5)] >> (x & 31)) & 1;
}

/// The body force of the first step on row y of a grid at rest (all zeros); later ones are part of the step before.
/// Global size: at least NX.
kernel void accelerate_start(int y, global const uint* restrict solid_bits, global STORED* restrict populations,
                             struct Relaxation c) {
  const int x = get_global_id(0);
  if (x >= NX || is_solid(solid_bits, x, y) || !(c.threshold_axis < 0 && c.threshold_diagonal < 0)) return;
  global STORED* const cell = populations + (size_t)y * NX + x;
  STORE_ONE(c.accel_axis, cell + 1 * CELLS);
  STORE_ONE(-c.accel_axis, cell + 3 * CELLS);
  STORE_ONE(c.accel_diagonal, cell + 5 * CELLS);
  STORE_ONE(-c.accel_diagonal, cell + 6 * CELLS);
  STORE_ONE(-c.accel_diagonal, cell + 7 * CELLS);
  STORE_ONE(c.accel_diagonal, cell + 8 * CELLS);
}

#endif
