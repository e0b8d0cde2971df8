#include "plain_triad.hpp"

namespace boltzmark {
namespace {

template <class T>
void init(PlainArrays<T> arrays) {
  T *const a = arrays.a, *const b = arrays.b, *const c = arrays.c;
#pragma omp parallel for
  for (std::ptrdiff_t i = 0; i < arrays.size; ++i) {
    a[i] = T(0.1);
    b[i] = T(0.2);
    c[i] = T(0);
  }
}

template <class T>
void triad(PlainArrays<T> arrays) {
  T *const a = arrays.a, *const b = arrays.b, *const c = arrays.c;
#pragma omp parallel for
  for (std::ptrdiff_t i = 0; i < arrays.size; ++i) a[i] = b[i] + T(0.4) * c[i];
}

}  // namespace

void plain_init_openmp(PlainArrays<float> arrays) { init(arrays); }
void plain_init_openmp(PlainArrays<double> arrays) { init(arrays); }
void plain_triad_openmp(PlainArrays<float> arrays) { triad(arrays); }
void plain_triad_openmp(PlainArrays<double> arrays) { triad(arrays); }

}  // namespace boltzmark
