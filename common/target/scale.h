// The smallest operation on a field, and the example of targetDP's paper: a vector field times a constant. 3 FLOPs and
// six values of traffic per site.
#ifndef BOLTZMARK_COMMON_TARGET_SCALE_H
#define BOLTZMARK_COMMON_TARGET_SCALE_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::target {
#endif

TARGET_ENTRY scale(TARGET_SITES, FIELD vector, SCALAR factor) {
  TARGET_TLP(sites, chunk) {
    for (int i = 0; i < 3; ++i) SET(vector, i, chunk, AT(vector, i, chunk) * factor);
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::target
#endif

#endif
