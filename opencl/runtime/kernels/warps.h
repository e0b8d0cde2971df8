// Exchange between the lanes of an NVIDIA warp (32 work-items in step) through registers, in PTX.
#ifndef BOLTZMARK_OPENCL_WARPS_H
#define BOLTZMARK_OPENCL_WARPS_H

#include "opencl/runtime/kernels/pack.h"

#define WARP 32
#define ALL_LANES 0xffffffffu

/// The word that the lane `distance` above has. All lanes of `lanes` must call it.
FN uint word_from_above(uint word, int distance, uint lanes) {
  uint other;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(word), "r"(distance), "r"(lanes));
  return other;
}

/// The word of the lane `distance` below; the first lanes get their own.
FN uint word_from_below(uint word, int distance) {
  uint other;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, %3;" : "=r"(other) : "r"(word), "r"(distance), "r"(ALL_LANES));
  return other;
}

/// The word of the lane whose number differs in the bits `distance`, of the lane of this number, and of the next one.
FN uint word_across(uint word, int distance) {
  uint other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(word), "r"(distance), "r"(ALL_LANES));
  return other;
}
FN uint word_of_lane(uint word, int lane) {
  uint other;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(word), "r"(lane), "r"(ALL_LANES));
  return other;
}
FN uint word_of_next(uint word, int distance) { return word_from_above(word, distance, ALL_LANES); }

// The same of SCALARs. All lanes must call these together.
#ifdef DOUBLES
#define SHUFFLED(exchange, value, which) \
  as_double(VECTOR(uint2)(exchange(as_uint2(value).x, which), exchange(as_uint2(value).y, which)))
#else
#define SHUFFLED(exchange, value, which) as_float(exchange(as_uint(value), which))
#endif

/// The value of the next lane, or of the previous one; the last lane, or the first, gets its own.
FN SCALAR value_of_next_lane(SCALAR value) { return SHUFFLED(word_of_next, value, 1); }
FN SCALAR value_of_lane_before(SCALAR value) { return SHUFFLED(word_from_below, value, 1); }
/// The value of the lane `distance` below; the first lanes get their own.
FN SCALAR scalar_from_below(SCALAR value, int distance) { return SHUFFLED(word_from_below, value, distance); }
FN SCALAR scalar_of_lane(SCALAR value, int lane) { return SHUFFLED(word_of_lane, value, lane); }

/// The sum over `lanes` neighbouring lanes, a power of two, in each of them.
FN SCALAR sum_across(SCALAR value, int lanes) {
  UNROLLED for (int distance = lanes / 2; distance > 0; distance /= 2) value += SHUFFLED(word_across, value, distance);
  return value;
}

/// The sum over all 32 lanes, in each of them.
FN SCALAR warp_sum(SCALAR value) { return sum_across(value, WARP); }

/// Makes stores visible to the other lanes of the warp.
FN void warp_barrier(void) { asm volatile("bar.warp.sync %0;" ::"r"(ALL_LANES) : "memory"); }

/// barrier(CLK_LOCAL_MEM_FENCE) that the warps of a group may reach at different places in the program.
FN void group_barrier(void) { asm volatile("bar.sync 0;" ::: "memory"); }

/// Stores x, y, z and a spare if `truth`, without a branch.
FN void store_where(bool truth, local float4* to, float x, float y, float z) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.v4.f32 [%1], {%2, %3, %4, %4}; }" ::"r"((uint)truth),
               "l"(LOCAL_ADDRESS(to)), "f"(x), "f"(y), "f"(z)
               : "memory");
}

/// Stores four contiguous values, the first at a multiple of 16 bytes.
FN void store_four_values(local float* to, float x, float y, float z, float w) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(LOCAL_ADDRESS(to)), "f"(x), "f"(y), "f"(z), "f"(w)
               : "memory");
}

/// Whether any of the 32 lanes has a word that is not zero.
FN bool any_lane(uint word) {
  uint any;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.any.pred p, p, %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(any)
               : "r"(word), "r"(ALL_LANES));
  return any != 0;
}

#endif
