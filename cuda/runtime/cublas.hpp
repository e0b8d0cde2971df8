// cuBLAS, NVIDIA's BLAS, opened when a program runs. Types and numbers are those of its C interface (cublas_api.h), as
// far as they are used here. It works in the context that is current, which is the session's. Matrices are column by
// column, where C' = B' A': those that are row by row here.
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
/// So many products, whose matrices lie `a_step` values apart and so on.
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

/// Throws Error (unavailable) in one line where the library is not there.
const Cublas& cublas();
/// Throws Error (unavailable) where a call failed.
void check_cublas(int status, const char* doing);
/// "cuBLAS 13.0.2"
std::string cublas_name();
/// What its tensor cores multiply of the numbers as they are: doubles, on devices that have such. Else "".
std::string cublas_tensor_cores(const device::Session& session, std::size_t value_bytes);
/// The library in the session's queue.
std::shared_ptr<cublasContext> cublas_in(const device::Session& session);

inline CUdeviceptr address_of(const device::Buffer& buffer) { return reinterpret_cast<CUdeviceptr>(buffer.native()); }

}  // namespace boltzmark::cuda
