// The halo of a plane from the sites inside: its mirror image, or those on the other side.
#ifndef BOLTZMARK_COMMON_TARGET_BORDER_H
#define BOLTZMARK_COMMON_TARGET_BORDER_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::target {
#endif

/// Sites on two sides get all values of the sites `offset` inwards. Sites whose place from `origin`, in each `period`,
/// is before `end` are on the first side. Value number `negated`, if there is one, changes its sign.
TARGET_ENTRY fill_border(TARGET_SITES, FIELD field, int values, int origin, int period, int end, int offset,
                         int negated) {
  enum { BORDER_AT_ONCE = TARGET_AT_ONCE > 1 ? 9 : 1 }; /* are read before one is stored, which GPUs' loads wait for */
  TARGET_TLP(sites, chunk) {
    const int inwards = ((int)TARGET_FIRST(chunk) - origin) % period < end ? offset : -offset;
    for (int first = 0; first < values; first += BORDER_AT_ONCE) {
      REAL site[BORDER_AT_ONCE];
      TARGET_UNROLL for (int i = 0; i < BORDER_AT_ONCE; ++i) site[i] =
          NEAR(field, first + i < values ? first + i : first, chunk, inwards);
      TARGET_UNROLL for (int i = 0; i < BORDER_AT_ONCE; ++i) if (first + i < values)
          SET(field, first + i, chunk, site[i] * (SCALAR)(first + i == negated ? -1 : 1));
    }
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::target
#endif

#endif
