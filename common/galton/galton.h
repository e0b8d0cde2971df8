// Galton's bean machine: at each level a random number moves a bean one step to the right or to the left.
#ifndef BOLTZMARK_COMMON_GALTON_GALTON_H
#define BOLTZMARK_COMMON_GALTON_GALTON_H

#include "common/target/random.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::galton {
using namespace target;
#endif

/// Final places of the beans of these sites, numbered from `first`. Bean b at level h uses draw b * height + h, whose
/// highest bit is enough.
TARGET_ENTRY fall_by_bits(TARGET_SITES, FIELD place, LONG first, int height, UINT key) {
  TARGET_TLP(sites, chunk) {
    const LONG draw = (first + TARGET_FIRST(chunk)) * height;
    REAL right = TARGET_BROADCAST((SCALAR)0);
    for (int level = 0; level < height; ++level) right = right + TARGET_CALL(head)(draw + level, height, key);
    SET(place, 0, chunk, right * (SCALAR)2 - (SCALAR)height);
  }
}

/// The same by the sign of a uniform number less a half.
TARGET_ENTRY fall_by_uniform(TARGET_SITES, FIELD place, LONG first, int height, UINT key) {
  TARGET_TLP(sites, chunk) {
    const LONG draw = (first + TARGET_FIRST(chunk)) * height;
    REAL at = TARGET_BROADCAST((SCALAR)0);
    for (int level = 0; level < height; ++level) {
      const REAL below = TARGET_BROADCAST((SCALAR)0.5) - TARGET_CALL(uniform)(draw + level, height, key);
      at = at + choose(below > (SCALAR)0, TARGET_BROADCAST((SCALAR)-1), TARGET_BROADCAST((SCALAR)1));
    }
    SET(place, 0, chunk, at);
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::galton
#endif

#endif
