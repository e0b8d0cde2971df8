// The tables that the source files of the instruction sets define; row_kernels.cpp chooses among them.
#pragma once

#include "common/lbm/cpu/row_kernels.hpp"

namespace boltzmark::lbm {

#if defined(__x86_64__)
extern const RowKernels<float> rows_avx512_f32, rows_avx2_f32;
extern const RowKernels<double> rows_avx512_f64, rows_avx2_f64;
#endif
#if defined(__x86_64__)
extern const RowKernels<float, D3Q19> planes_avx512_f32, planes_avx2_f32;
extern const RowKernels<double, D3Q19> planes_avx512_f64, planes_avx2_f64;
#endif
extern const RowKernels<float, D3Q19> planes_128_f32;
extern const RowKernels<double, D3Q19> planes_128_f64;
extern const RowKernels<float> rows_128_f32;
extern const RowKernels<double> rows_128_f64;
extern const RowKernels<float> rows_plain_f32[3];
extern const RowKernels<double> rows_plain_f64[2];

}  // namespace boltzmark::lbm
