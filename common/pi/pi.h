// Two ways to pi: Leibniz's series, which is nothing but divisions, and points thrown at a quarter of a circle, which
// is nothing but random numbers.
#ifndef BOLTZMARK_COMMON_PI_PI_H
#define BOLTZMARK_COMMON_PI_PI_H

#include "common/target/random.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::pi {
using namespace target;
#endif

/// 1 / (4n+1) - 1 / (4n+3) of the term `n`: two divisions as written down, or one, given n + 1/2.
TARGET REAL by_two_divisions(REAL n) {
  const REAL first = n * (SCALAR)4 + (SCALAR)1;
  return near_ratio((SCALAR)1, first) - near_ratio((SCALAR)1, first + (SCALAR)2);
}
TARGET REAL by_one_division(REAL middle) { return near_ratio((SCALAR)0.125, middle * middle - (SCALAR)0.0625); }

/// Of the terms of these sites, whose numbers begin at `first` of all.
TARGET_SUM_ENTRY two_divisions(TARGET_SUM_SITES, SCALAR first) {
  TARGET_SUM_OF(chunk, TARGET_CALL(by_two_divisions)(TARGET_NUMBER_FROM(chunk, first)));
}
TARGET_SUM_ENTRY one_division(TARGET_SUM_SITES, SCALAR first) {
  TARGET_SUM_OF(chunk, TARGET_CALL(by_one_division)(TARGET_NUMBER_FROM(chunk, first + (SCALAR)0.5)));
}

/// Expression by expression: every term is stored, and another launch adds them up.
TARGET_ENTRY store_terms(TARGET_SITES, FIELD terms, SCALAR first) {
  TARGET_TLP(sites, chunk) { SET(terms, 0, chunk, TARGET_CALL(by_two_divisions)(TARGET_NUMBER_FROM(chunk, first))); }
}

TARGET_SUM_ENTRY stored_terms(TARGET_SUM_SITES, FIELD terms) { TARGET_SUM_OF(chunk, AT(terms, 0, chunk)); }

#ifdef HAS_NEAR_UNIFORM
/// Of a point the radius squared, less 1, in units of 2^-64: right to 2^43 of these.
TARGET float near_beyond(LONG sample, LONG samples, UINT key) {
  const float x = near_uniform(sample, key), y = near_uniform(sample + samples, key);
  return multiply_add(x, x, multiply_add(y, y, -0x1p64f));
}
#endif

/// 1 where the point lies in the circle. Its x is draw number `sample`, its y so many draws on as there are samples.
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

/// Points of these sites, whose numbers begin at `first` of all, in the circle.
TARGET_SUM_ENTRY points_inside(TARGET_SUM_SITES, LONG first, LONG samples, UINT key) {
  TARGET_COUNT_OF(chunk, near_beyond(first + TARGET_FIRST(chunk), samples, key), 0x1p44f,
                  TARGET_CALL(is_inside)(first + TARGET_FIRST(chunk), samples, key));
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::pi
#endif

#endif
