// Collision or rebound of populations in single precision on NVIDIA devices, in PTX, for C++ and OpenCL C.
#ifndef BOLTZMARK_COMMON_LBM_REBOUND_H
#define BOLTZMARK_COMMON_LBM_REBOUND_H

#include "common/base/real.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::lbm {
#endif

/// Two opposite populations after a step: relaxed towards `to_a` and `to_b` (relaxed_equilibrium), or exchanged if
/// `solid` is not zero. In a rebound each takes the other's value, so the new b is computed in the register of a, or a
/// stays, and only the new a has to be moved. For nine populations that takes four instructions more than a collision;
/// selecting between collision and rebound takes nine or more.
KERNEL_FN void relax_or_bounce(float* a, float* b, float to_a, float to_b, unsigned solid, float keep) {
  float was_a = *a, was_b = *b;
  asm("{ .reg .pred solid; .reg .f32 new_a; setp.ne.u32 solid, %2, 0;"
      " fma.rn.ftz.f32 new_a, %0, %3, %4; @!solid fma.rn.ftz.f32 %0, %1, %3, %5;"
      " @!solid mov.f32 %1, new_a; }"
      : "+f"(was_a), "+f"(was_b)
      : "r"(solid), "f"(keep), "f"(to_a), "f"(to_b));
  *a = was_b, *b = was_a;
}

/// The population at rest, which has no opposite.
KERNEL_FN void relax_or_keep(float* a, float to, unsigned solid, float keep) {
  asm("{ .reg .pred solid; setp.ne.u32 solid, %1, 0; @!solid fma.rn.ftz.f32 %0, %0, %2, %3; }"
      : "+f"(*a)
      : "r"(solid), "f"(keep), "f"(to));
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::lbm
#endif

#endif
