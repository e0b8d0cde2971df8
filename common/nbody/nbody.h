// Bodies that attract one another, all pairs: almost pure arithmetic, since each body read serves all bodies of a
// chunk.
#ifndef BOLTZMARK_COMMON_NBODY_NBODY_H
#define BOLTZMARK_COMMON_NBODY_NBODY_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::nbody {
using namespace target;
#endif

TARGET_STRUCT_OF(Triple) { REAL x, y, z; };

/// Adds to `sum` the terms m d / |d|^3 of other bodies, with d from there to `here` and |d|^2 at least `least`. A body
/// adds nothing to itself, because d is 0 and the other factors are finite; sites after the last body have no mass and
/// add nothing.
TARGET TARGET_STRUCT(Triple) with_bodies(TARGET_STRUCT(Triple) sum, TARGET_STRUCT(Triple) here, SOME_CHUNKS x,
                                         SOME_CHUNKS y, SOME_CHUNKS z, SOME_CHUNKS m, SCALAR least) {
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) {
    x.of[i] = here.x - x.of[i];
    y.of[i] = here.y - y.of[i];
    z.of[i] = here.z - z.of[i];
  }
  SOME_CHUNKS square;
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) square.of[i] =
      at_least(multiply_add(x.of[i], x.of[i], multiply_add(y.of[i], y.of[i], z.of[i] * z.of[i])), least);
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) m.of[i] = inverse_root_cubed(square.of[i]) * m.of[i];
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) {
    sum.x = multiply_add(m.of[i], x.of[i], sum.x);
    sum.y = multiply_add(m.of[i], y.of[i], sum.y);
    sum.z = multiply_add(m.of[i], z.of[i], sum.z);
  }
  return sum;
}

TARGET TARGET_STRUCT(Triple) no_triple() {
  TARGET_STRUCT(Triple) zero;
  zero.x = zero.y = zero.z = TARGET_BROADCAST((SCALAR)0);
  return zero;
}
/// Values `first`, `first + apart`, and `first + 2 apart`.
TARGET TARGET_STRUCT(Triple) triple_at(FIELD field, int first, int apart, Chunk chunk) {
  TARGET_STRUCT(Triple) triple;
  triple.x = AT(field, first, chunk);
  triple.y = AT(field, first + apart, chunk);
  triple.z = AT(field, first + 2 * apart, chunk);
  return triple;
}

/// Velocities after a step, v - strength * sum of m d / |d|^3, and the resulting places. `body` has x, y, z and m of
/// `bodies`.
TARGET_ENTRY TARGET_APART kick(TARGET_SITES, FIELD body, FIELD moved, FIELD velocity, FIELD next, int bodies,
                               SCALAR least, SCALAR strength, SCALAR dt) {
  TARGET_TILE(4);
  TARGET_TLP_ALL(sites, chunk) {
    const TARGET_STRUCT(Triple) here = TARGET_CALL(triple_at)(body, 0, 1, chunk);
    TARGET_STRUCT(Triple) sum = TARGET_CALL(no_triple)();
    TARGET_EACH_SITES(body, 4, bodies, other)
    sum = TARGET_CALL(with_bodies)(sum, here, SITES(body, 0, other), SITES(body, 1, other), SITES(body, 2, other),
                                   SITES(body, 3, other), least);
    TARGET_STRUCT(Triple) v = TARGET_CALL(triple_at)(velocity, 0, 1, chunk);
    v.x = v.x - sum.x * strength;
    v.y = v.y - sum.y * strength;
    v.z = v.z - sum.z * strength;
    SET(next, 0, chunk, v.x);
    SET(next, 1, chunk, v.y);
    SET(next, 2, chunk, v.z);
    SET(moved, 0, chunk, multiply_add(v.x, dt, here.x));
    SET(moved, 1, chunk, multiply_add(v.y, dt, here.y));
    SET(moved, 2, chunk, multiply_add(v.z, dt, here.z));
  }
}

/// The same with the pairs of a body as a row of numbers to sum. Values read from another body serve ROWS_AT_ONCE
/// bodies, the last of which is `apart` sites after the first: few enough to fill a GPU even with 8000 bodies.
#define ROWS_AT_ONCE ((int)sizeof(SCALAR) / 2)
TARGET_ENTRY TARGET_APART kick_by_rows(TARGET_SITES, FIELD body, FIELD moved, FIELD velocity, FIELD next, int bodies,
                                       int apart, SCALAR least, SCALAR strength, SCALAR dt) {
  TARGET_ROW_SUMS(3);
  TARGET_ROWS(sites, first) {
    Chunk row[ROWS_AT_ONCE];
    TARGET_STRUCT(Triple) here[ROWS_AT_ONCE], sum[ROWS_AT_ONCE];
    UNROLLED for (int i = 0; i < ROWS_AT_ONCE; ++i) {
      row[i] = first;
      row[i].site += i * apart / (ROWS_AT_ONCE - 1);
      here[i].x = TARGET_BROADCAST(AT_ROW(body, 0, row[i]));
      here[i].y = TARGET_BROADCAST(AT_ROW(body, 1, row[i]));
      here[i].z = TARGET_BROADCAST(AT_ROW(body, 2, row[i]));
      sum[i] = TARGET_CALL(no_triple)();
    }
    TARGET_ALONG_SITES(bodies, other) {
      const SOME_CHUNKS x = AT_SITES(body, other), y = AT_SITES(body, other + first.stride),
                        z = AT_SITES(body, other + 2 * first.stride), m = AT_SITES(body, other + 3 * first.stride);
      UNROLLED for (int i = 0; i < ROWS_AT_ONCE; ++i) sum[i] =
          TARGET_CALL(with_bodies)(sum[i], here[i], x, y, z, m, least);
    }
    UNROLLED for (int i = 0; i < ROWS_AT_ONCE; ++i) {
      const SCALAR x = AT_ROW(velocity, 0, row[i]) - TARGET_ROW_SUM(0, sum[i].x) * strength,
                   y = AT_ROW(velocity, 1, row[i]) - TARGET_ROW_SUM(1, sum[i].y) * strength,
                   z = AT_ROW(velocity, 2, row[i]) - TARGET_ROW_SUM(2, sum[i].z) * strength;
      SET_ROW(next, 0, row[i], x);
      SET_ROW(next, 1, row[i], y);
      SET_ROW(next, 2, row[i], z);
      SET_ROW(moved, 0, row[i], multiply_add(x, dt, AT_ROW(body, 0, row[i])));
      SET_ROW(moved, 1, row[i], multiply_add(y, dt, AT_ROW(body, 1, row[i])));
      SET_ROW(moved, 2, row[i], multiply_add(z, dt, AT_ROW(body, 2, row[i])));
    }
  }
}

TARGET_ENTRY drift(TARGET_SITES, FIELD body, FIELD moved, FIELD velocity, SCALAR dt) {
  TARGET_TLP(sites, chunk) {
    for (int i = 0; i < 3; ++i) SET(moved, i, chunk, multiply_add(AT(velocity, i, chunk), dt, AT(body, i, chunk)));
  }
}

// Numbers of pairs: each row of the box is for another body, and its sites are one value further on than those of the
// row before.

/// The number of a chunk's row.
TARGET int row_of(Chunk chunk) { return (int)(TARGET_FIRST(chunk) / chunk.stride); }
/// The chunk of the same bodies in row 0.
TARGET Chunk in_first_row(Chunk chunk) {
  chunk.site -= TARGET_CALL(row_of)(chunk) * chunk.stride;
  return chunk;
}

// One expression at a time: every number of every pair is stored. A row is a body, and its sites are the bodies that it
// pulls.

/// One coordinate of d.
TARGET_ENTRY store_differences(TARGET_SITES, FIELD body, FIELD differences, int value) {
  TARGET_TLP(sites, chunk) {
    const SCALAR other = body[value * chunk.stride + TARGET_CALL(row_of)(chunk)];
    SET(differences, 0, chunk, AT(body, value, TARGET_CALL(in_first_row)(chunk)) - other);
  }
}
TARGET_ENTRY store_squares(TARGET_SITES, FIELD dx, FIELD dy, FIELD dz, FIELD squares, SCALAR least) {
  TARGET_TLP(sites, chunk) {
    const REAL x = AT(dx, 0, chunk), y = AT(dy, 0, chunk), z = AT(dz, 0, chunk);
    SET(squares, 0, chunk, at_least(multiply_add(x, x, multiply_add(y, y, z * z)), least));
  }
}
/// Replaces the differences by the pull of each body.
TARGET_ENTRY store_pulls(TARGET_SITES, FIELD body, FIELD squares, FIELD differences) {
  TARGET_TLP(sites, chunk) {
    const SCALAR m = body[3 * chunk.stride + TARGET_CALL(row_of)(chunk)];
    SET(differences, 0, chunk, inverse_root_cubed(AT(squares, 0, chunk)) * m * AT(differences, 0, chunk));
  }
}

/// Velocities after a step, one coordinate: v - strength * sum of the pulls of all bodies.
TARGET_ENTRY kick_by_sums(TARGET_SITES, FIELD pulls, int bodies, FIELD velocity, FIELD next, int value,
                          SCALAR strength) {
  TARGET_TLP(sites, chunk) {
    REAL sum = TARGET_BROADCAST((SCALAR)0);
    for (int i = 0; i < bodies; ++i) sum = sum + AT(pulls, i, chunk);
    SET(next, value, chunk, AT(velocity, value, chunk) - sum * strength);
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::nbody
#endif

#endif
