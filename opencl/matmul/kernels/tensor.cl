// Tensor cores: a group makes BLOCK_ROWS x BLOCK_COLUMNS of C, each of its warps TILE_ROWS x TILE_COLUMNS, as 16 x 8
// matrices in its lanes' registers (tensor.h). Blocks of A and B are copied to local memory asynchronously, STAGES of
// them in a ring. Words of the next step are read while those of this one are multiplied, even across the barrier
// between two blocks: otherwise all warps would wait for local memory at the same time, with nothing to multiply.
//
//     local memory:  | being multiplied | on its way | on its way | on its way |    blocks of BLOCK_DEPTH
//     registers:       step 0 | step 1 | ...                                        of STEP_DEPTH, two of them
#include "tensor_blocks.h"

#include "opencl/runtime/kernels/tensor.h"

#define WARPS_ACROSS (BLOCK_COLUMNS / TILE_COLUMNS)
#define STEPS (BLOCK_DEPTH / STEP_DEPTH)
#define DOWN (TILE_ROWS / 16) /* small matrices of a warp */
#define ACROSS (TILE_COLUMNS / 8)

// Padding of rows keeps a warp's words, or rows of its matrices, in different banks.
#define A_VECTORS (BLOCK_DEPTH / IN_VECTOR)
#define A_ROW (A_VECTORS + (ELEMENT_BYTES == 8 ? 2 : 1))
#define STAGE (BLOCK_ROWS * A_ROW + BLOCK_DEPTH * B_ROW)
#define WORDS(vectors) ((vectors) * (16 / WORD_BYTES))

/// Loads words of a step into one half of the registers. Lanes are those of tensor.h; for ldmatrix they give the
/// addresses of rows.
#ifdef TENSOR_F64
#define LOAD_A(parity, at, step)                                                                                      \
  UNROLLED for (int i = 0; i < DOWN; ++i) UNROLLED for (int word = 0; word < A_WORDS; ++word) of_a[parity][i][word] = \
      (at)[(16 * i + 8 * (word % 2)) * WORDS(A_ROW) + (step)*STEP_DEPTH + 4 * (word / 2)];
#else
#define LOAD_A(parity, at, step)          \
  UNROLLED for (int i = 0; i < DOWN; ++i) \
      load_matrices(of_a[parity][i], (at) + 16 * i * WORDS(A_ROW) + (step)*STEP_DEPTH * ELEMENT_BYTES / WORD_BYTES);
#endif
#if ELEMENT_BYTES == 2
#define LOAD_B(parity, at, step)               \
  UNROLLED for (int j = 0; j < ACROSS; j += 2) \
      load_turned_matrices(of_b[parity][j], (at) + (step)*STEP_DEPTH * WORDS(B_ROW) + 4 * j);
#else
#define LOAD_B(parity, at, step)                                                                \
  UNROLLED for (int j = 0; j < ACROSS; ++j) UNROLLED for (int word = 0; word < B_WORDS; ++word) \
      of_b[parity][j][word] = (at)[((step)*STEP_DEPTH + 4 * word) * WORDS(B_ROW) + 8 * j];
#endif
#define LOAD_WORDS(parity, stage, step)             \
  LOAD_A(parity, at_a + (stage)*WORDS(STAGE), step) \
  LOAD_B(parity, at_b + (stage)*WORDS(STAGE), step)

LARGE_LOCAL_BYTES(multiply, 16 * STAGES * STAGE)

MULTIPLY_KERNEL {
  LARGE_LOCAL_ARRAY(REAL, blocks, [STAGES * STAGE]);
  const int lane = get_local_id(0), warp = get_local_id(1), item = warp * 32 + lane;

  PLACE_OF_BLOCK(first_row, first_column);

  const int a_stride = depth / IN_VECTOR, b_stride = n / IN_VECTOR;
  global const REAL* from_a =
      (global const REAL*)a + (size_t)(first_row + item / A_VECTORS) * a_stride + item % A_VECTORS;
  global const REAL* from_b =
      (global const REAL*)b + (size_t)(item / B_VECTORS) * b_stride + first_column / IN_VECTOR + item % B_VECTORS;
  local REAL* const to_a = blocks + item / A_VECTORS * A_ROW + item % A_VECTORS;
  local REAL* const to_b = blocks + BLOCK_ROWS * A_ROW + item / B_VECTORS * B_ROW + item % B_VECTORS;

  const int row = warp / WARPS_ACROSS * TILE_ROWS, column = warp % WARPS_ACROSS * TILE_COLUMNS;
  const int g = lane / 4, t = lane % 4;
#ifdef TENSOR_F64
  local const WORD* const at_a = (local const WORD*)blocks + (row + g) * WORDS(A_ROW) + t;
#else
  local const WORD* const at_a = (local const WORD*)(blocks + (row + lane % 16) * A_ROW + lane / 16);
#endif
#if ELEMENT_BYTES == 2
  local const WORD* const at_b =
      (local const WORD*)(blocks + BLOCK_ROWS * A_ROW + lane % 16 * B_ROW + column / IN_VECTOR + lane / 16);
#else
  local const WORD* const at_b = (local const WORD*)(blocks + BLOCK_ROWS * A_ROW) + t * WORDS(B_ROW) + column + g;
#endif

  SCALAR sums[DOWN][ACROSS][4];
  UNROLLED for (int i = 0; i < DOWN; ++i) UNROLLED for (int j = 0; j < ACROSS; ++j)
      UNROLLED for (int part = 0; part < 4; ++part) sums[i][j][part] = 0;
  WORD of_a[2][DOWN][A_WORDS], of_b[2][ACROSS][B_WORDS];

  const int last = depth / BLOCK_DEPTH;
  UNROLLED for (int block = 0; block < STAGES - 1; ++block) {
    if (block < last) {
      START_COPIES(to_a + block * STAGE, to_b + block * STAGE)
    }
    end_of_copies();
  }
  WAIT_FOR_COPIES_BUT(STAGES - 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  LOAD_WORDS(0, 0, 0)
  int stage = 0, free_stage = STAGES - 1;
  for (int block = 0; block < last; ++block) {
    UNROLLED for (int step = 0; step < STEPS; ++step) {
      if (step == 0) {  // into the previous block
        if (block + STAGES - 1 < last) {
          START_COPIES(to_a + free_stage * STAGE, to_b + free_stage * STAGE)
        }
        end_of_copies();
        free_stage = stage;
      }
      if (step == STEPS - 1) {
        stage = stage == STAGES - 1 ? 0 : stage + 1;
        WAIT_FOR_COPIES_BUT(STAGES - 2);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      LOAD_WORDS((step + 1) % 2, stage, (step + 1) % STEPS)
      UNROLLED for (int j = 0; j < ACROSS; ++j) UNROLLED for (int i = 0; i < DOWN; ++i)
          multiply_small(sums[i][j], of_a[step % 2][i], of_b[step % 2][j]);
    }
  }

  UNROLLED for (int i = 0; i < DOWN; ++i) UNROLLED for (int j = 0; j < ACROSS; ++j)
      UNROLLED for (int part = 0; part < 4; part += 2) {
    global SCALAR* const to = &AT(c, first_row + row + 16 * i + g + 4 * part, n, first_column + column + 8 * j + 2 * t);
    *(global JOIN(SCALAR, 2)*)to = VECTOR(JOIN(SCALAR, 2))(sums[i][j][part], sums[i][j][part + 1]);
  }
}
