// cuBLAS, NVIDIA's BLAS, opened when a program runs. Types and constants are those of its C interface (cublas_api.h),
// as far as used here. It works in the current context, the session's. Its matrices are column by column; as C' = B'
// A', these are the row-by-row matrices here.
#pragma once

#include <memory>
#include <string>

#include "common/device/session.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using CublasHandle = struct cublasContext*;

constexpr int cublas_not_transposed = 0;  // CUBLAS_OP_N

template <class T>
using Gemm = int(CublasHandle handle, int transpose_a, int transpose_b, int m, int n, int k, const T* alpha,
                 CUdeviceptr a, int a_stride, CUdeviceptr b, int b_stride, const T* beta, CUdeviceptr c, int c_stride);
/// A batch of products, whose matrices are `a_step` values apart and so on.
template <class T>
using GemmBatch = int(CublasHandle handle, int transpose_a, int transpose_b, int m, int n, int k, const T* alpha,
                      CUdeviceptr a, int a_stride, long long a_step, CUdeviceptr b, int b_stride, long long b_step,
                      const T* beta, CUdeviceptr c, int c_stride, long long c_step, int count);
/// cublasGemmEx. Types: cudaDataType_t; arithmetic: cublasComputeType_t; algorithm: -1, CUBLAS_GEMM_DEFAULT.
using GemmOfTypes = int(CublasHandle handle, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                        CUdeviceptr a, int a_type, int a_stride, CUdeviceptr b, int b_type, int b_stride,
                        const void* beta, CUdeviceptr c, int c_type, int c_stride, int arithmetic, int algorithm);

struct Cublas {
  int (*create)(CublasHandle* handle);
  int (*destroy)(CublasHandle handle);
  int (*property)(int which, int* value);
  int (*set_stream)(CublasHandle handle, CUstream stream);
  int (*set_math)(CublasHandle handle, int mode);
  Gemm<float>* sgemm;
  Gemm<double>* dgemm;
  GemmBatch<float>* sgemm_batch;
  GemmBatch<double>* dgemm_batch;
  GemmOfTypes* gemm_of_types;
};

/// Throws Error (unavailable), in one line, if the library is missing.
const Cublas& cublas();
/// Throws Error (unavailable) if a call failed.
void check_cublas(int status, const char* doing);
/// "cuBLAS 13.0.2"
std::string cublas_name();
/// Format that its tensor cores multiply without rounding: doubles, on devices with such cores. Else "".
std::string cublas_tensor_cores(const device::Session& session, std::size_t value_bytes);
/// A handle of the library that uses the session's queue.
std::shared_ptr<cublasContext> cublas_in(const device::Session& session);

inline CUdeviceptr address_of(const device::Buffer& buffer) { return reinterpret_cast<CUdeviceptr>(buffer.native()); }

}  // namespace boltzmark::cuda
