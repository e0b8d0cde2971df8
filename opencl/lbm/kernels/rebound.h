// Collision or rebound of a cell of single precision on NVIDIA devices.
#ifndef BOLTZMARK_OPENCL_REBOUND_H
#define BOLTZMARK_OPENCL_REBOUND_H

#include "cells.h"

#include "common/lbm/rebound.h"

/// Collision of the populations that arrived in a cell with moments `m`, or their rebound if `solid` is not zero.
FN struct Populations collide_or_bounce(struct Populations a, struct Moments m, uint solid, struct Relaxation c) {
  const struct Populations to = relaxed_equilibrium(m, c);
  relax_or_keep(&a.f[0], to.f[0], solid, c.keep);
  relax_or_bounce(&a.f[1], &a.f[3], to.f[1], to.f[3], solid, c.keep);
  relax_or_bounce(&a.f[2], &a.f[4], to.f[2], to.f[4], solid, c.keep);
  relax_or_bounce(&a.f[5], &a.f[7], to.f[5], to.f[7], solid, c.keep);
  relax_or_bounce(&a.f[6], &a.f[8], to.f[6], to.f[8], solid, c.keep);
  return a;
}

#endif
