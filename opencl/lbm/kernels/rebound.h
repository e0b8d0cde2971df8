// Collision or rebound of a cell of single precision on NVIDIA devices, in PTX.
#ifndef BOLTZMARK_OPENCL_REBOUND_H
#define BOLTZMARK_OPENCL_REBOUND_H

#include "cells.h"

/// Two opposite populations a step later: relaxed towards `to_a` and `to_b` (relaxed_equilibrium), or turned
/// round where `solid` is not zero. Bounced back, each is what the other was: so the new b is computed
/// where a was, or nothing is, and only the new a has to be moved. For nine populations that is four
/// instructions more than a collision takes; choosing between it and the rebound is nine or more.
FN void relax_or_bounce(float* a, float* b, float to_a, float to_b, uint solid, float keep) {
  float was_a = *a, was_b = *b;
  asm("{ .reg .pred solid; .reg .f32 new_a; setp.ne.u32 solid, %2, 0;"
      " fma.rn.ftz.f32 new_a, %0, %3, %4; @!solid fma.rn.ftz.f32 %0, %1, %3, %5;"
      " @!solid mov.f32 %1, new_a; }"
      : "+f"(was_a), "+f"(was_b)
      : "r"(solid), "f"(keep), "f"(to_a), "f"(to_b));
  *a = was_b, *b = was_a;
}

/// Collision of what has arrived in a cell with moments `m`, or its rebound where `solid` is not zero.
FN struct Populations collide_or_bounce(struct Populations a, struct Moments m, uint solid, struct Relaxation c) {
  const struct Populations to = relaxed_equilibrium(m, c);
  asm("{ .reg .pred solid; setp.ne.u32 solid, %1, 0; @!solid fma.rn.ftz.f32 %0, %0, %2, %3; }"
      : "+f"(a.f[0])
      : "r"(solid), "f"(c.keep), "f"(to.f[0]));
  relax_or_bounce(&a.f[1], &a.f[3], to.f[1], to.f[3], solid, c.keep);
  relax_or_bounce(&a.f[2], &a.f[4], to.f[2], to.f[4], solid, c.keep);
  relax_or_bounce(&a.f[5], &a.f[7], to.f[5], to.f[7], solid, c.keep);
  relax_or_bounce(&a.f[6], &a.f[8], to.f[6], to.f[8], solid, c.keep);
  return a;
}

#endif
