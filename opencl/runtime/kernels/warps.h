// What the lanes of an NVIDIA warp, 32 work-items in step, tell each other through registers, in PTX.
#ifndef BOLTZMARK_OPENCL_WARPS_H
#define BOLTZMARK_OPENCL_WARPS_H

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

/// The value that the next lane has, or the one before; the last lane, or the first, gets its own.
#ifdef DOUBLES
FN double value_of_next_lane(double value) {
  const uint2 words = as_uint2(value);
  return as_double(VECTOR(uint2)(word_from_above(words.x, 1, ALL_LANES), word_from_above(words.y, 1, ALL_LANES)));
}
FN double value_of_lane_before(double value) {
  const uint2 words = as_uint2(value);
  return as_double(VECTOR(uint2)(word_from_below(words.x, 1), word_from_below(words.y, 1)));
}
#else
FN float value_of_next_lane(float value) { return as_float(word_from_above(as_uint(value), 1, ALL_LANES)); }
FN float value_of_lane_before(float value) { return as_float(word_from_below(as_uint(value), 1)); }
#endif

/// The value of the lane whose number differs in the bit `distance`.
FN float value_across(float value, int distance) {
  float other;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;" : "=f"(other) : "f"(value), "r"(distance), "r"(ALL_LANES));
  return other;
}

/// The sum over all 32 lanes, in each of them.
FN float warp_sum(float value) {
#pragma unroll
  for (int distance = WARP / 2; distance > 0; distance /= 2) value += value_across(value, distance);
  return value;
}

/// Lanes see what the others of their warp have stored before it.
FN void warp_barrier(void) { asm volatile("bar.warp.sync %0;" ::"r"(ALL_LANES) : "memory"); }

/// barrier(CLK_LOCAL_MEM_FENCE), but the warps of a group may come to it in different places of the program.
FN void group_barrier(void) { asm volatile("bar.sync 0;" ::: "memory"); }

/// Stores x, y, z and a spare where `truth`, without a branch.
FN void store_where(bool truth, local float4* to, float x, float y, float z) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.v4.f32 [%1], {%2, %3, %4, %4}; }" ::"r"((uint)truth),
               "l"(LOCAL_ADDRESS(to)), "f"(x), "f"(y), "f"(z)
               : "memory");
}

/// Stores four values side by side, the first at a multiple of 16 bytes.
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
