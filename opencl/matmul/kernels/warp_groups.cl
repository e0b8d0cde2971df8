// Warp groups: tensor cores read columns of their second matrix from local memory and multiply asynchronously
// (warp_groups.h). These columns must be contiguous along the depth, like rows of A and unlike columns of B; so the
// transpose of C is computed, B' A': two groups of four warps have 64 columns of C each, for which they read B into
// registers, and 256 rows.
//
//     local memory:  | multiplied before | being multiplied | on its way | on its way |    blocks of 128 bytes of depth
#include "tensor_blocks.h"

#include "opencl/runtime/kernels/warp_groups.h"

#define STEPS 4
#define DOWN (BLOCK_ROWS / 128) /* multiplications of a step */

#define A_VECTORS 8
#define A_ROW A_VECTORS
#define A_STAGE (BLOCK_ROWS * A_ROW)
#define B_STAGE (BLOCK_DEPTH * B_ROW)

LARGE_LOCAL_BYTES(multiply, 1024 + 16 * STAGES * (A_STAGE + B_STAGE))

MULTIPLY_KERNEL {
  LARGE_LOCAL_ARRAY(REAL, memory, [64 + STAGES * (A_STAGE + B_STAGE)]);
  local REAL* const a_blocks = memory + (1024 - ((uint)(ulong)LOCAL_ADDRESS(&memory[0]) & 1023)) % 1024 / 16;
  local REAL* const b_blocks = a_blocks + STAGES * A_STAGE;
  const int lane = get_local_id(0), warp = get_local_id(1), item = warp * 32 + lane;

  PLACE_OF_BLOCK(first_row, first_column);

  const int a_stride = depth / IN_VECTOR, b_stride = n / IN_VECTOR;
  const int a_row = item / A_ROW, a_vector = item % A_ROW;
  global const REAL* from_a = (global const REAL*)a + (size_t)(first_row + a_row) * a_stride + a_vector;
  global const REAL* from_b =
      (global const REAL*)b + (size_t)(item / B_VECTORS) * b_stride + first_column / IN_VECTOR + item % B_VECTORS;
  local REAL* const to_a = a_blocks + a_row * A_ROW + (a_vector ^ a_row % 8);
  local REAL* const to_b = b_blocks + item / B_VECTORS * B_ROW + item % B_VECTORS;

  const int g = lane / 4, t = lane % 4, column = 16 * warp;
#if ELEMENT_BYTES == 2
  local const WORD* const at_b =
      (local const WORD*)(b_blocks + (lane % 8 + lane / 16 * 8) * B_ROW + column / IN_VECTOR + lane / 8 % 2);
#else
  local const WORD* const at_b = (local const WORD*)(b_blocks + t * B_ROW) + column + g;
#endif

  SCALAR sums[DOWN][GROUP_SUMS];
  UNROLLED for (int i = 0; i < DOWN; ++i) UNROLLED for (int part = 0; part < GROUP_SUMS; ++part) sums[i][part] = 0;
  WORD of_b[2][STEPS][4];

  const int last = depth / BLOCK_DEPTH;
  UNROLLED for (int block = 0; block < STAGES - 2; ++block) {
    if (block < last) {
      START_COPIES(to_a + block * A_STAGE, to_b + block * B_STAGE)
    }
    end_of_copies();
  }
  for (int block = 0; block < last; block += 2) {  // the host makes it even
    UNROLLED for (int parity = 0; parity < 2; ++parity) {
      const int stage = (block + parity) % STAGES;
      WAIT_FOR_COPIES_BUT(STAGES - 3);
      show_to_tensor_cores();
      barrier(CLK_LOCAL_MEM_FENCE);
      UNROLLED for (int step = 0; step < STEPS; ++step) {
        local const WORD* const from = at_b + 4 * (stage * B_STAGE + step * STEP_DEPTH * B_ROW);
#if ELEMENT_BYTES == 2
        load_turned_matrices(of_b[parity][step], from);
#else
        UNROLLED for (int word = 0; word < 4; ++word) of_b[parity][step][word] =
            from[word / 2 * 4 * 4 * B_ROW + word % 2 * 8];
#endif
      }
      // Copies go into the block before the last, because each warp has waited for its multiplications before the
      // barrier. Copies after the multiplications would start late, because a warp waits there until the tensor cores
      // have read its registers.
      if (block + parity + STAGES - 2 < last) {
        const int free_stage = (stage + STAGES - 2) % STAGES;
        START_COPIES(to_a + free_stage * A_STAGE, to_b + free_stage * B_STAGE)
      }
      end_of_copies();
      begin_multiplications();
      UNROLLED for (int step = 0; step < STEPS; ++step) UNROLLED for (int i = 0; i < DOWN; ++i) multiply_by_group(
          sums[i], of_b[parity][step], (local const WORD*)(a_blocks + stage * A_STAGE + i * 128 * A_ROW) + step * 8);
      end_multiplications();
      WAIT_FOR_MULTIPLICATIONS_BUT(1);
    }
  }
  WAIT_FOR_MULTIPLICATIONS_BUT(0);

  UNROLLED for (int i = 0; i < DOWN; ++i) UNROLLED for (int part = 0; part < GROUP_SUMS; ++part) {
    CHANGED(sums[i][part]);
    AT(c, first_row + 128 * i + part / 4 * 8 + 2 * t + part % 2, n, first_column + column + g + part / 2 % 2 * 8) =
        sums[i][part];
  }
}
