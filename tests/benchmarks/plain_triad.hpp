// The triad as STREAM has it, in files of their own: nothing but a loop.
#pragma once

#include <cstddef>

namespace boltzmark {

/// The three arrays, of `size` elements each.
template <class T>
struct PlainArrays {
  T *a, *b, *c;
  std::ptrdiff_t size;
};

// On one core. Float and double.
void plain_init(PlainArrays<float> arrays);
void plain_init(PlainArrays<double> arrays);
void plain_triad(PlainArrays<float> arrays);
void plain_triad(PlainArrays<double> arrays);

// On all threads of the OpenMP runtime.
void plain_init_openmp(PlainArrays<float> arrays);
void plain_init_openmp(PlainArrays<double> arrays);
void plain_triad_openmp(PlainArrays<float> arrays);
void plain_triad_openmp(PlainArrays<double> arrays);

}  // namespace boltzmark
