// OpenBLAS, the peer of the CPU models: opened when the program runs, so that the build does not need it.
#pragma once

#include <string>

#include "common/matmul/shape.hpp"

namespace boltzmark::matmul {

class OpenBlas {
 public:
  /// Throws Error (unavailable) in one line where the library is not there.
  explicit OpenBlas(int threads);

  /// C = A B, row by row.
  void multiply(const Shape& shape, const float* a, const float* b, float* c) const;
  void multiply(const Shape& shape, const double* a, const double* b, double* c) const;

  /// Version, threads and instruction set, as the library says itself.
  std::string configuration() const;
  int threads() const { return get_threads_(); }

 private:
  // As cblas.h has them, whose enumerators are these numbers.
  static constexpr int row_major = 101, not_transposed = 111;
  template <class T>
  using Gemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha, const T* a,
                        int a_stride, const T* b, int b_stride, T beta, T* c, int c_stride);

  Gemm<float> sgemm_;
  Gemm<double> dgemm_;
  int (*get_threads_)();
  char* (*get_config_)();
  char* (*get_corename_)();
};

}  // namespace boltzmark::matmul
