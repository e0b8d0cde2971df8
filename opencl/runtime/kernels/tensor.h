// Tensor cores of NVIDIA's devices, in PTX (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"): the lanes
// of a warp multiply small matrices in their registers. The host defines the format: TENSOR_F64 with STEP_DEPTH 4, 8 or
// 16 (compute capability 9.0), or TENSOR_TF32 with 8, TENSOR_F16 or TENSOR_BF16 with 16 (8.0), whose sums are floats.
//
//   sum (16 x 8) += a (16 x STEP_DEPTH) * b (STEP_DEPTH x 8);  lane 4 g + t has, i from 0 on:
//
//   doubles, TF32   a: row g + 8 (i % 2), column t + 4 (i / 2)      b: row t + 4 i, column g
//   16 bits         a: row g + 8 (i % 2), columns 2 t + 8 (i / 2)   b: rows 2 t + 8 i, column g; two in a word
//   sum             row g + 8 (i / 2), column 2 t + i % 2
#ifndef BOLTZMARK_OPENCL_TENSOR_H
#define BOLTZMARK_OPENCL_TENSOR_H

#include "opencl/runtime/kernels/pack.h"

#ifdef TENSOR_F64
#define WORD double
#define WORD_BYTES 8
#define ELEMENT_BYTES 8
#else
#define WORD uint
#define WORD_BYTES 4
#if STEP_DEPTH == 8
#define ELEMENT_BYTES 4
#else
#define ELEMENT_BYTES 2
#endif
#endif
#define A_WORDS (STEP_DEPTH * ELEMENT_BYTES / WORD_BYTES / 2) /* of a lane */
#define B_WORDS (A_WORDS / 2)

#ifndef TENSOR_CORES_OF_HOST /* which tests without a GPU have */
#ifdef TENSOR_F64
#define SUMS_OF_LANE "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
#define SMALL(shape) "mma.sync.aligned." shape ".row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
#define FOUR_OF_A "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3])
#else
#define SUMS_OF_LANE "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
#define SMALL(shape) "mma.sync.aligned." shape " {%0, %1, %2, %3}, "
#define FOUR_OF_A "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#endif
#define ONTO ", {%0, %1, %2, %3};"

/// sum += a * b.
FN void multiply_small(SCALAR* sum, const WORD* a, const WORD* b) {
#ifdef TENSOR_TF32
  asm volatile(SMALL("m16n8k8.row.col.f32.tf32.tf32.f32") "{%4, %5, %6, %7}, {%8, %9}" ONTO:SUMS_OF_LANE
               : FOUR_OF_A, "r"(b[0]), "r"(b[1]));
#elif defined TENSOR_F16
  asm volatile(SMALL("m16n8k16.row.col.f32.f16.f16.f32") "{%4, %5, %6, %7}, {%8, %9}" ONTO:SUMS_OF_LANE
               : FOUR_OF_A, "r"(b[0]), "r"(b[1]));
#elif defined TENSOR_BF16
  asm volatile(SMALL("m16n8k16.row.col.f32.bf16.bf16.f32") "{%4, %5, %6, %7}, {%8, %9}" ONTO:SUMS_OF_LANE
               : FOUR_OF_A, "r"(b[0]), "r"(b[1]));
#elif STEP_DEPTH == 4
  asm volatile(SMALL("m16n8k4") "{%4, %5}, {%6}" ONTO:SUMS_OF_LANE : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#elif STEP_DEPTH == 8
  asm volatile(SMALL("m16n8k8") "{%4, %5, %6, %7}, {%8, %9}" ONTO:SUMS_OF_LANE : FOUR_OF_A, "d"(b[0]), "d"(b[1]));
#else
  asm volatile(SMALL("m16n8k16") "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}" ONTO:SUMS_OF_LANE
               : FOUR_OF_A, "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}

#ifndef TENSOR_F64
/// Four matrices of 8 rows of 16 bytes: lane l gives the address of row l % 8 of matrix l / 8, and gets from each
/// matrix word l % 4 of row l / 4.
#define LOAD_MATRICES(how)                                                               \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" how ".shared.b16 {%0, %1, %2, %3}, [%4];" \
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])          \
               : "r"((uint)(ulong)LOCAL_ADDRESS(row))                                    \
               : "memory")
FN void load_matrices(WORD* words, local const WORD* row) { LOAD_MATRICES(""); }
/// The same for 8 x 8 elements of 16 bits, transposed.
FN void load_turned_matrices(WORD* words, local const WORD* row) { LOAD_MATRICES(".trans"); }
#endif
#endif

#endif
