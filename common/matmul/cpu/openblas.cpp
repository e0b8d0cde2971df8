#include "common/matmul/cpu/openblas.hpp"

#include <dlfcn.h>

#include "common/base/error.hpp"

namespace boltzmark::matmul {
namespace {

/// Stays open to the end: its threads live in it.
void* open_library() {
  for (const char* name : {"libopenblas.so.0", "libopenblas.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw unavailable(
      "openblas: expected the library libopenblas.so.0, found none (libopenblas0-pthread; LD_LIBRARY_PATH says "
      "where else)");
}

template <class Function>
Function function_in(void* library, const char* name) {
  void* const address = dlsym(library, name);
  if (!address) throw unavailable("openblas: expected {} in the library, found none", name);
  return reinterpret_cast<Function>(address);
}

template <class T, class Gemm>
void call(Gemm gemm, int row_major, int plain, const Shape& shape, const T* a, const T* b, T* c) {
  const int m = static_cast<int>(shape.m), n = static_cast<int>(shape.n), k = static_cast<int>(shape.k);
  gemm(row_major, plain, plain, m, n, k, T(1), a, k, b, n, T(0), c, n);
}

}  // namespace

OpenBlas::OpenBlas(int threads) {
  void* const library = open_library();
  sgemm_ = function_in<Gemm<float>>(library, "cblas_sgemm");
  dgemm_ = function_in<Gemm<double>>(library, "cblas_dgemm");
  get_threads_ = function_in<int (*)()>(library, "openblas_get_num_threads");
  get_config_ = function_in<char* (*)()>(library, "openblas_get_config");
  get_corename_ = function_in<char* (*)()>(library, "openblas_get_corename");
  function_in<void (*)(int)>(library, "openblas_set_num_threads")(threads);
  if (get_threads_() != threads)
    throw unavailable("openblas: expected {} threads, found that the library gives {}", threads, get_threads_());
}

void OpenBlas::multiply(const Shape& shape, const float* a, const float* b, float* c) const {
  call(sgemm_, row_major, not_transposed, shape, a, b, c);
}
void OpenBlas::multiply(const Shape& shape, const double* a, const double* b, double* c) const {
  call(dgemm_, row_major, not_transposed, shape, a, b, c);
}

std::string OpenBlas::configuration() const {
  const std::string words = get_config_();
  return words.substr(0, words.find(' ', words.find(' ') + 1)) + " " + get_corename_();
}

}  // namespace boltzmark::matmul
