#include "cuda/runtime/cublas.hpp"

#include <fmt/core.h>

#include <array>

namespace boltzmark::cuda {
namespace {

/// CUBLAS_DEFAULT_MATH: the fastest arithmetic with the digits of the type. So floats are multiplied as floats, never
/// rounded to TF32 for tensor cores unless --arithmetic requests it; doubles may use tensor cores, which multiply
/// doubles without rounding. CUBLAS_PEDANTIC_MATH would exclude equally exact methods of the library, but the peer
/// should be at its best.
constexpr int default_math = 0;

Cublas open_cublas() {
  void* const library = open_library({"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
  if (!library)
    throw unavailable(
        "cublas: expected the library libcublas.so, found none (CUDA's toolkit has it; or set CUDA_HOME)");
  Cublas opened;
  const auto find = [library](auto*& function, const char* name) { find_function("cublas", library, name, function); };
  find(opened.create, "cublasCreate_v2");
  find(opened.destroy, "cublasDestroy_v2");
  find(opened.property, "cublasGetProperty");
  find(opened.set_stream, "cublasSetStream_v2");
  find(opened.set_math, "cublasSetMathMode");
  find(opened.sgemm, "cublasSgemm_v2");
  find(opened.dgemm, "cublasDgemm_v2");
  find(opened.sgemm_batch, "cublasSgemmStridedBatched");
  find(opened.dgemm_batch, "cublasDgemmStridedBatched");
  find(opened.gemm_of_types, "cublasGemmEx");
  return opened;
}

}  // namespace

const Cublas& cublas() {
  static const Cublas opened = open_cublas();
  return opened;
}

void check_cublas(int status, const char* doing) {
  constexpr int too_little_memory = 3, not_for_this_device = 8;
  const char* meaning = status == too_little_memory     ? ", the device has too little memory left"
                        : status == not_for_this_device ? ", it is not for this device"
                                                        : "";
  if (status != 0) throw unavailable("cublas: cannot {}: status {}{}", doing, status, meaning);
}

std::string cublas_name() {
  std::array<int, 3> parts{};  // MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL
  for (int which = 0; which < 3; ++which)
    check_cublas(cublas().property(which, &parts[static_cast<std::size_t>(which)]), "tell its version");
  return fmt::format("cuBLAS {}.{}.{}", parts[0], parts[1], parts[2]);
}

std::string cublas_tensor_cores(const device::Session& session, std::size_t value_bytes) {
  return value_bytes == sizeof(double) && session.device().capability >= 90 ? "f64" : "";
}

std::shared_ptr<cublasContext> cublas_in(const device::Session& session) {
  CublasHandle handle = nullptr;
  check_cublas(cublas().create(&handle), "start");
  std::shared_ptr<cublasContext> owned(handle, [](CublasHandle old) { cublas().destroy(old); });
  check_cublas(cublas().set_stream(handle, static_cast<CUstream>(session.queue()->native())), "take the stream");
  check_cublas(cublas().set_math(handle, default_math), "choose the arithmetic");
  return owned;
}

}  // namespace boltzmark::cuda
