// OpenBLAS, the peer of the CPU models: opened when the program runs, so that the build does not need it.
#pragma once

#include <dlfcn.h>

#include <string>

#include "common/base/error.hpp"

namespace boltzmark {

template <class T>
class OpenBlas {
 public:
  /// Throws Error (unavailable), in one line, if the library is missing.
  explicit OpenBlas(int threads)
      : gemm_(function<Gemm>(sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm")),
        get_config_(function<GetText>("openblas_get_config")),
        get_corename_(function<GetText>("openblas_get_corename")) {
    const auto get_threads = function<int (*)()>("openblas_get_num_threads");
    function<void (*)(int)>("openblas_set_num_threads")(threads);
    if (get_threads() != threads)
      throw unavailable("openblas: expected {} threads, found {} in the library", threads, get_threads());
  }

  /// C = A B, row by row: m x n = m x k times k x n.
  void multiply(int m, int n, int k, const T* a, const T* b, T* c) const {
    constexpr int row_major = 101, not_transposed = 111;  // enumerators of cblas.h
    gemm_(row_major, not_transposed, not_transposed, m, n, k, T(1), a, k, b, n, T(0), c, n);
  }

  /// Version, threads and instruction set, as the library reports them.
  std::string configuration() const {
    const std::string words = get_config_();
    return words.substr(0, words.find(' ', words.find(' ') + 1)) + " " + get_corename_();
  }

 private:
  using Gemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha, const T* a,
                        int a_stride, const T* b, int b_stride, T beta, T* c, int c_stride);
  using GetText = char* (*)();

  /// Stays open to the end, because its threads run code of the library.
  static void* open_library() {
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"})
      if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    throw unavailable(
        "openblas: expected the library libopenblas.so.0, found none (libopenblas0-pthread; LD_LIBRARY_PATH says "
        "where else)");
  }
  template <class Function>
  Function function(const char* name) const {
    void* const address = dlsym(library_, name);
    if (!address) throw unavailable("openblas: expected {} in the library, found none", name);
    return reinterpret_cast<Function>(address);
  }

  void* library_ = open_library();
  Gemm gemm_;
  GetText get_config_, get_corename_;
};

}  // namespace boltzmark
