// Tensor cores driven by warp groups on Hopper (only compute capability 9.0), in PTX ("Asynchronous Warpgroup Level
// Matrix Instructions"): four warps multiply 64 rows in their registers by 128 columns in local memory.
//
//   sum (64 x 128) += a (64 x STEP_DEPTH) * b (STEP_DEPTH x 128)
//
// Warp w of the four has rows 16 w to 16 w + 15 of a, and of each 8 columns of the sum, as in tensor.h. Columns of b
// are consecutive, 128 bytes each, of which a step takes 32; vector v of 16 bytes of column c is at place v ^ (c % 8)
// of its 128 bytes, which are counted from a multiple of 1024 bytes.
#ifndef BOLTZMARK_OPENCL_WARP_GROUPS_H
#define BOLTZMARK_OPENCL_WARP_GROUPS_H

#include "opencl/runtime/kernels/tensor.h"

#define GROUP_SUMS 64 /* of an item */

#ifndef TENSOR_CORES_OF_HOST
#define ALL_SUMS                                                                                         \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, " \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63"
#define EIGHT_SUMS(i)                                                                                               \
  "+f"(sum[i]), "+f"(sum[(i) + 1]), "+f"(sum[(i) + 2]), "+f"(sum[(i) + 3]), "+f"(sum[(i) + 4]), "+f"(sum[(i) + 5]), \
      "+f"(sum[(i) + 6]), "+f"(sum[(i) + 7])
#define THIRTY_TWO_SUMS(i) EIGHT_SUMS(i), EIGHT_SUMS((i) + 8), EIGHT_SUMS((i) + 16), EIGHT_SUMS((i) + 24)
#define GROUP_SHAPE(shape, more)                                                             \
  "{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned." shape " {" ALL_SUMS \
  "}, {%64, %65, %66, %67}, %68, p, 1, 1" more "; }"
#ifdef TENSOR_TF32
#define GROUP_TEXT GROUP_SHAPE("m64n128k8.f32.tf32.tf32", "")
#elif defined TENSOR_F16
#define GROUP_TEXT GROUP_SHAPE("m64n128k16.f32.f16.f16", ", 0")
#else
#define GROUP_TEXT GROUP_SHAPE("m64n128k16.f32.bf16.bf16", ", 0")
#endif

/// sum += a * b, at some time between here and the end of a wait. Eight columns are 1024 bytes apart.
FN void multiply_by_group(float* sum, const WORD* a, local const WORD* b) {
  const ulong swizzled = (ulong)1 << 62, eight_columns = (ulong)(1024 / 16) << 32, unused = (ulong)1 << 16;
  const ulong columns = swizzled | eight_columns | unused | (((ulong)LOCAL_ADDRESS(b) & 0x3ffff) >> 4);
  asm volatile(GROUP_TEXT
               : THIRTY_TWO_SUMS(0), THIRTY_TWO_SUMS(32)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(columns), "r"(1));
}
/// Fence between changes of registers and multiplications; and commit after the last multiplication of a batch, which a
/// wait counts as one.
FN void begin_multiplications(void) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
FN void end_multiplications(void) { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
#define WAIT_FOR_MULTIPLICATIONS_BUT(count) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(count) : "memory")
/// Tells the compiler that the sum changes here.
#define CHANGED(sum) asm volatile("" : "+f"(sum)::"memory")
/// Makes this item's stores to local memory visible to tensor cores.
FN void show_to_tensor_cores(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#endif

#endif
