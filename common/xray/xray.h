// An X-ray image: a ray from the source to each pixel, attenuated by the voxels that it crosses. Distances along a ray
// are fractions of its length.
#ifndef BOLTZMARK_COMMON_XRAY_XRAY_H
#define BOLTZMARK_COMMON_XRAY_XRAY_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::xray {
using namespace target;
#endif

/// Slope along x or y from the source to a pixel's centre: the middle is exactly 0, and a ray parallel to voxels has a
/// slope so small that it stays between their planes.
TARGET REAL slopes_of(REAL pixel, int pixels) {
  const REAL slope = (pixel * (SCALAR)2 + (SCALAR)(1 - pixels)) * (SCALAR)(0.5 / pixels);
  return choose(slope * slope > (SCALAR)0, slope, TARGET_BROADCAST((SCALAR)1e-30));
}
TARGET SCALAR slope_of(int pixel, int pixels) {
  const SCALAR slope = (SCALAR)(2 * pixel + 1 - pixels) * (SCALAR)(0.5 / pixels);
  return 2 * pixel + 1 == pixels ? (SCALAR)1e-30 : slope;
}

/// Intensity at a pixel. As published, it falls with the distance, not with its square.
TARGET REAL brightness(REAL x, REAL y, REAL weakened, int pixels) {
  const REAL z = TARGET_BROADCAST((SCALAR)2), length = square_root(x * x + y * y + z * z);
  const REAL inverse_length = ratio((SCALAR)1, length);
  const SCALAR per_pixel = (SCALAR)(2.0 / (4.0 * 3.14159265358979323846) / pixels / pixels);
  return exponential(weakened * length * (SCALAR)-1) * inverse_length * inverse_length * per_pixel;
}

/// All voxels for each ray: the part of the ray between two planes of each axis. Row `first` of the image is the first
/// here.
TARGET_ENTRY direct(TARGET_SITES, FIELD image, FIELD voxels, int cells, int pixels, int first, int origin, int pitch,
                    SCALAR corner, SCALAR corner_z, SCALAR cell) {
  TARGET_TLP(sites, chunk) {
    const int at = (int)TARGET_FIRST(chunk) - origin, row = at / pitch;
    Chunk in_row = chunk;
    in_row.site = at - row * pitch;
    const REAL x = TARGET_CALL(slopes_of)(TARGET_NUMBER(in_row), pixels);
    const REAL y = TARGET_BROADCAST(TARGET_CALL(slope_of)(first + row, pixels));
    const REAL per_x = ratio((SCALAR)1, x), per_y = ratio((SCALAR)1, y);
    const TARGET_MASK is_right = x > (SCALAR)0, is_up = y > (SCALAR)0; /* the ray meets planes in order */
    REAL weakened = TARGET_BROADCAST((SCALAR)0);
    for (int k = 0; k < cells; ++k) {
      const SCALAR in_z = (corner_z + (SCALAR)k * cell) * (SCALAR)0.5;
      const SCALAR out_z = (corner_z + (SCALAR)(k + 1) * cell) * (SCALAR)0.5;
      for (int j = 0; j < cells; ++j) {
        const REAL y0 = per_y * (corner + (SCALAR)j * cell), y1 = per_y * (corner + (SCALAR)(j + 1) * cell);
        const REAL in_y = greater_of(choose(is_up, y0, y1), TARGET_BROADCAST(in_z));
        const REAL out_y = lesser_of(choose(is_up, y1, y0), TARGET_BROADCAST(out_z));
        FIELD row_of_voxels = voxels + (k * cells + j) * cells;
        for (int i = 0; i < cells; ++i) {
          const REAL x0 = per_x * (corner + (SCALAR)i * cell), x1 = per_x * (corner + (SCALAR)(i + 1) * cell);
          const REAL in = greater_of(choose(is_right, x0, x1), in_y), out = lesser_of(choose(is_right, x1, x0), out_y);
          weakened = multiply_add(at_least(out - in, (SCALAR)0), row_of_voxels[i], weakened);
        }
      }
    }
    SET(image, 0, chunk, TARGET_CALL(brightness)(x, y, weakened, pixels));
  }
}

/// State of a march along one axis: the voxel, the step to the next one, and the plane between them.
TARGET_STRUCT_OF(Axis) {
  SCALAR per_slope, corner, next;
  int voxel, step;
};
TARGET SCALAR plane_of(TARGET_STRUCT(Axis) axis, int plane, SCALAR cell) {
  return (axis.corner + (SCALAR)plane * cell) * axis.per_slope;
}
TARGET TARGET_STRUCT(Axis) axis_at(SCALAR entry, SCALAR slope, SCALAR corner, SCALAR cell, int cells) {
  TARGET_STRUCT(Axis) axis;
  axis.per_slope = (SCALAR)1 / slope;
  axis.corner = corner;
  axis.step = slope > (SCALAR)0 ? 1 : -1;
  const int voxel = (int)((entry * slope - corner) / cell);
  axis.voxel = voxel < 0 ? 0 : voxel < cells ? voxel : cells - 1;
  // The entry may be rounded to either side of a plane.
  const int behind = axis.step<0, ahead = axis.step> 0;
  while (axis.voxel - axis.step >= 0 && axis.voxel - axis.step < cells &&
         TARGET_CALL(plane_of)(axis, axis.voxel + behind, cell) > entry)
    axis.voxel -= axis.step;
  while (axis.voxel + axis.step >= 0 && axis.voxel + axis.step < cells &&
         TARGET_CALL(plane_of)(axis, axis.voxel + ahead, cell) <= entry)
    axis.voxel += axis.step;
  axis.next = TARGET_CALL(plane_of)(axis, axis.voxel + ahead, cell);
  return axis;
}

/// March of one ray from plane to plane (Siddon 1985; Amanatides and Woo 1987).
TARGET SCALAR march_along(SCALAR x, SCALAR y, FIELD voxels, int cells, SCALAR corner, SCALAR corner_z, SCALAR cell) {
  const SCALAR end = corner + (SCALAR)cells * cell, half_z = (SCALAR)0.5;
  const SCALAR x0 = corner / x, x1 = end / x, y0 = corner / y, y1 = end / y;
  SCALAR from = corner_z * half_z, to = (corner_z + (SCALAR)cells * cell) * half_z;
  from = from > (x0 < x1 ? x0 : x1) ? from : (x0 < x1 ? x0 : x1);
  from = from > (y0 < y1 ? y0 : y1) ? from : (y0 < y1 ? y0 : y1);
  to = to < (x0 < x1 ? x1 : x0) ? to : (x0 < x1 ? x1 : x0);
  to = to < (y0 < y1 ? y1 : y0) ? to : (y0 < y1 ? y1 : y0);
  SCALAR weakened = 0;
  if (!(from < to)) return weakened;
  TARGET_STRUCT(Axis) i = TARGET_CALL(axis_at)(from, x, corner, cell, cells);
  TARGET_STRUCT(Axis) j = TARGET_CALL(axis_at)(from, y, corner, cell, cells);
  TARGET_STRUCT(Axis) k = TARGET_CALL(axis_at)(from, (SCALAR)2, corner_z, cell, cells);
  while (from < to) {
    const SCALAR in_plane = i.next < j.next ? i.next : j.next, next = in_plane < k.next ? in_plane : k.next;
    const SCALAR until = next < to ? next : to;
    if (until > from) weakened += (until - from) * voxels[(k.voxel * cells + j.voxel) * cells + i.voxel];
    from = until > from ? until : from;
    if (until >= to) break;
    if (i.next <= next) {
      i.voxel += i.step;
      i.next = TARGET_CALL(plane_of)(i, i.voxel + (i.step > 0), cell);
    } else if (j.next <= next) {
      j.voxel += j.step;
      j.next = TARGET_CALL(plane_of)(j, j.voxel + (j.step > 0), cell);
    } else {
      k.voxel += k.step;
      k.next = TARGET_CALL(plane_of)(k, k.voxel + (k.step > 0), cell);
    }
    if (i.voxel < 0 || i.voxel >= cells || j.voxel < 0 || j.voxel >= cells || k.voxel >= cells) break;
  }
  return weakened;
}

/// Each ray marches separately, because lanes would take different paths.
TARGET_ENTRY march(TARGET_SITES, FIELD image, FIELD voxels, int cells, int pixels, int first, int origin, int pitch,
                   SCALAR corner, SCALAR corner_z, SCALAR cell) {
  TARGET_TLP(sites, chunk) {
    const int at = (int)TARGET_FIRST(chunk) - origin, row = at / pitch;
    Chunk in_row = chunk;
    in_row.site = at - row * pitch;
    const REAL x = TARGET_CALL(slopes_of)(TARGET_NUMBER(in_row), pixels);
    const REAL y = TARGET_BROADCAST(TARGET_CALL(slope_of)(first + row, pixels));
    for (int lane = 0; lane < TARGET_LANES(chunk); ++lane)
      AT_LANE(image, 0, chunk, lane) =
          TARGET_CALL(march_along)(TARGET_CALL(slope_of)((int)in_row.site + lane, pixels),
                                   TARGET_CALL(slope_of)(first + row, pixels), voxels, cells, corner, corner_z, cell);
    SET(image, 0, chunk, TARGET_CALL(brightness)(x, y, AT(image, 0, chunk), pixels));
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::xray
#endif

#endif
