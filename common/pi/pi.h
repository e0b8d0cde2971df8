// Two ways to pi: Leibniz's series, whose cost is divisions, and points drawn in a square around a quarter of a circle,
// whose cost is random numbers.
#ifndef BOLTZMARK_COMMON_PI_PI_H
#define BOLTZMARK_COMMON_PI_PI_H

#include "common/target/random.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::pi {
using namespace target;
#endif

/// 1 / (4n+1) - 1 / (4n+3) of the term `n`: with two divisions, as usually written, or with one, given n + 1/2.
TARGET REAL by_two_divisions(REAL n) {
  const REAL first = n * (SCALAR)4 + (SCALAR)1;
  return near_ratio((SCALAR)1, first) - near_ratio((SCALAR)1, first + (SCALAR)2);
}
TARGET REAL by_one_division(REAL middle) { return near_ratio((SCALAR)0.125, middle * middle - (SCALAR)0.0625); }

/// Sum of the terms of these sites, numbered from `first`.
TARGET_SUM_ENTRY two_divisions(TARGET_SUM_SITES, SCALAR first) {
  TARGET_SUM_OF(chunk, TARGET_CALL(by_two_divisions)(TARGET_NUMBER_FROM(chunk, first)));
}
TARGET_SUM_ENTRY one_division(TARGET_SUM_SITES, SCALAR first) {
  TARGET_SUM_OF(chunk, TARGET_CALL(by_one_division)(TARGET_NUMBER_FROM(chunk, first + (SCALAR)0.5)));
}

/// One expression at a time: every term is stored, and another launch adds them up.
TARGET_ENTRY store_terms(TARGET_SITES, FIELD terms, SCALAR first) {
  TARGET_TLP(sites, chunk) { SET(terms, 0, chunk, TARGET_CALL(by_two_divisions)(TARGET_NUMBER_FROM(chunk, first))); }
}

TARGET_SUM_ENTRY stored_terms(TARGET_SUM_SITES, FIELD terms) { TARGET_SUM_OF(chunk, AT(terms, 0, chunk)); }

#ifdef HAS_NEAR_UNIFORM
/// The squared radius of a point, less 1, in units of 2^-64, accurate to 2^43 units.
TARGET float near_beyond(LONG sample, LONG samples, UINT key) {
  const float x = near_uniform(sample, key), y = near_uniform(sample + samples, key);
  return multiply_add(x, x, multiply_add(y, y, -0x1p64f));
}
#endif

/// 1 if the point is in the circle. Its x is draw number `sample`; its y is the draw as many numbers later as there are
/// samples.
TARGET REAL is_inside(LONG sample, LONG samples, UINT key) {
#if defined HAS_NEAR_UNIFORM && defined REAL_IS_GENERIC /* elsewhere the sum sees to it */
  if (sizeof(REAL) == sizeof(SCALAR)) {
    const float beyond = near_beyond<REAL>(sample, samples, key);
    if (fabs(beyond) >= 0x1p44f) return TARGET_BROADCAST((SCALAR)(beyond < 0));
  }
#endif
  const REAL x = TARGET_CALL(uniform)(sample, 1, key), y = TARGET_CALL(uniform)(sample + samples, 1, key);
  return choose(x * x + y * y > (SCALAR)1, TARGET_BROADCAST((SCALAR)0), TARGET_BROADCAST((SCALAR)1));
}

/// Number of points in the circle among these sites, numbered from `first`.
TARGET_SUM_ENTRY points_inside(TARGET_SUM_SITES, LONG first, LONG samples, UINT key) {
  TARGET_COUNT_OF(chunk, near_beyond(first + TARGET_FIRST(chunk), samples, key), 0x1p44f,
                  TARGET_CALL(is_inside)(first + TARGET_FIRST(chunk), samples, key));
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::pi
#endif

#endif
