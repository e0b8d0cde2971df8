// cuBLAS, NVIDIA's BLAS. Types and numbers are those of its C interface (cublas_api.h), as far as they are used here.
// It works in the context that is current, which is the session's.
#include <fmt/core.h>

#include <array>
#include <memory>

#include "common/matmul/device/program.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {
namespace {

using CublasHandle = struct cublasContext*;

constexpr int not_transposed = 0;  // CUBLAS_OP_N
/// CUBLAS_DEFAULT_MATH: the fastest that keeps the digits of the type. So floats are multiplied as floats, never
/// rounded to TF32 for tensor cores unless --arithmetic asks for it; doubles may go through tensor cores, which
/// multiply doubles as such. CUBLAS_PEDANTIC_MATH would keep the library from ways of its own that are as exact, and
/// the peer is to be at its best.
constexpr int default_math = 0;

template <class T>
using Gemm = int(CublasHandle handle, int transpose_a, int transpose_b, int m, int n, int k, const T* alpha,
                 CUdeviceptr a, int a_stride, CUdeviceptr b, int b_stride, const T* beta, CUdeviceptr c, int c_stride);

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
  GemmOfTypes* gemm_of_types;
};

Cublas open_cublas() {
  void* const library = open_library({"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
  if (!library)
    throw unavailable(
        "cublas: expected the library libcublas.so, found none (CUDA's toolkit has it; CUDA_HOME says where else)");
  Cublas opened;
  const auto find = [library](auto*& function, const char* name) { find_function("cublas", library, name, function); };
  find(opened.create, "cublasCreate_v2");
  find(opened.destroy, "cublasDestroy_v2");
  find(opened.property, "cublasGetProperty");
  find(opened.set_stream, "cublasSetStream_v2");
  find(opened.set_math, "cublasSetMathMode");
  find(opened.sgemm, "cublasSgemm_v2");
  find(opened.dgemm, "cublasDgemm_v2");
  find(opened.gemm_of_types, "cublasGemmEx");
  return opened;
}

const Cublas& cublas() {
  static const Cublas opened = open_cublas();
  return opened;
}

void check(int status, const char* doing) {
  constexpr int too_little_memory = 3, not_for_this_device = 8;
  const char* meaning = status == too_little_memory     ? ", the device has too little memory left"
                        : status == not_for_this_device ? ", it is not for this device"
                                                        : "";
  if (status != 0) throw unavailable("cublas: cannot {}: status {}{}", doing, status, meaning);
}

struct Formats {
  const char* name;
  int type, arithmetic;  ///< of A and B, of the sums
};
Formats formats_of(matmul::Rounding rounding) {
  constexpr int type_f32 = 0, type_f16 = 2, type_bf16 = 14, compute_f32 = 68, compute_f32_by_tf32 = 77;
  if (rounding == matmul::Rounding::tf32) return {"tf32", type_f32, compute_f32_by_tf32};
  if (rounding == matmul::Rounding::f16) return {"f16", type_f16, compute_f32};
  return {"bf16", type_bf16, compute_f32};
}

template <class T>
class CublasPeer final : public matmul::PeerLibrary {
 public:
  CublasPeer(const device::Session& session, Gemm<T>* gemm, matmul::Rounding rounding)
      : gemm_(gemm), rounding_(rounding), has_tensor_cores_(session.device().capability >= 90) {
    CublasHandle handle = nullptr;
    check(cublas().create(&handle), "start");
    handle_ = {handle, [](CublasHandle old) { cublas().destroy(old); }};
    check(cublas().set_stream(handle, static_cast<CUstream>(session.queue()->native())), "take the stream");
    check(cublas().set_math(handle, default_math), "choose the arithmetic");
  }

  /// The library has matrices column by column, where C' = B' A': those that are row by row here.
  void enqueue(const matmul::Shape& shape, const device::Buffer& a, const device::Buffer& b,
               const device::Buffer& c) override {
    const int m = static_cast<int>(shape.m), n = static_cast<int>(shape.n), k = static_cast<int>(shape.k);
    const auto matrix = [](const device::Buffer& buffer) { return reinterpret_cast<CUdeviceptr>(buffer.native()); };
    const T one = 1, zero = 0;
    if (rounding_ != matmul::Rounding::as_they_are) {
      const auto [name, type, arithmetic] = formats_of(rounding_);
      return check(cublas().gemm_of_types(handle_.get(), not_transposed, not_transposed, n, m, k, &one, matrix(b), type,
                                          n, matrix(a), type, k, &zero, matrix(c), 0, n, arithmetic, -1),
                   "multiply");
    }
    check(gemm_(handle_.get(), not_transposed, not_transposed, n, m, k, &one, matrix(b), n, matrix(a), k, &zero,
                matrix(c), n),
          "multiply");
  }

  std::string name() const override {
    std::array<int, 3> parts{};  // MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL
    for (int which = 0; which < 3; ++which)
      check(cublas().property(which, &parts[static_cast<std::size_t>(which)]), "tell its version");
    return fmt::format("cuBLAS {}.{}.{}", parts[0], parts[1], parts[2]);
  }

  std::string tensor_cores() const override {
    if (rounding_ != matmul::Rounding::as_they_are) return formats_of(rounding_).name;
    return sizeof(T) == sizeof(double) && has_tensor_cores_ ? "f64" : "";
  }

 private:
  Gemm<T>* gemm_;
  matmul::Rounding rounding_;
  bool has_tensor_cores_;
  std::shared_ptr<cublasContext> handle_;
};

}  // namespace

extern const matmul::Peer cublas_peer = {
    .name = "cublas",
    .summary = "the library cuBLAS, floats without tensor cores unless --arithmetic says so: the peer",
    .open = [](device::Session& session, const Options& options) -> std::unique_ptr<matmul::PeerLibrary> {
      const matmul::Rounding rounding = matmul::rounding_of(options);
      if (options.precision == Precision::f64)
        return std::make_unique<CublasPeer<double>>(session, cublas().dgemm, rounding);
      return std::make_unique<CublasPeer<float>>(session, cublas().sgemm, rounding);
    },
    .options = {matmul::arithmetic_option()}};

}  // namespace boltzmark::cuda
