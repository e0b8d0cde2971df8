// The PTX of opencl/runtime/kernels/tensor.h as host functions: the lanes of a warp exchange their values, and each
// computes its own part.
#pragma once

#define TENSOR_CORES_OF_HOST

namespace host_cuda {

/// The values of all lanes of this lane's warp. The next call's table is another one, for some lanes come to it before
/// others have read this.
template <class T>
const T* shown_by_warp(const T& mine) {
  static T tables[2][1024];
  static unsigned calls[1024];
  const unsigned item = threadIdx.x + blockDim.x * threadIdx.y;
  T* const table = tables[calls[item]++ % 2];
  table[item] = mine;
  threads.wait();
  return table + item / 32 * 32;
}

/// Exact: powers of two are.
constexpr double power_of_two(int exponent) { return __builtin_bit_cast(double, (1023ull + exponent) << 52); }
inline double value_of_bits(unsigned bits, int exponent_bits, int fraction_bits) {
  const int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
  const double fraction = (bits & ((1 << fraction_bits) - 1)) * power_of_two(-fraction_bits);
  const double size =
      exponent == 0 ? fraction * power_of_two(1 - bias) : (1 + fraction) * power_of_two(exponent - bias);
  return bits >> (exponent_bits + fraction_bits) & 1 ? -size : size;
}

#ifdef TENSOR_F64
inline double element(double word, int) { return word; }
#elif defined TENSOR_TF32
inline double element(unsigned word, int) { return value_of_bits(word >> 13, 8, 10); }  // the rest is ignored
#elif defined TENSOR_F16
inline double element(unsigned word, int part) { return value_of_bits(word >> 16 * part & 0xffff, 5, 10); }
#else
inline double element(unsigned word, int part) { return value_of_bits(word >> 16 * part & 0xffff, 8, 7); }
#endif

}  // namespace host_cuda

template <class Sum, class Word>
void multiply_small(Sum* sum, const Word* a, const Word* b) {
  constexpr int in_word = STEP_DEPTH == 16 && sizeof(Word) == 4 ? 2 : 1, of_a = STEP_DEPTH / 2 / in_word;
  struct Words {
    Word a[of_a], b[of_a / 2];
  } mine;
  std::memcpy(mine.a, a, sizeof mine.a);
  std::memcpy(mine.b, b, sizeof mine.b);
  const unsigned lane = threadIdx.x;
  const Words* const all = host_cuda::shown_by_warp(mine);
  for (int part = 0; part < 4; ++part) {
    const int row = lane / 4 + 8 * (part / 2), column = 2 * (lane % 4) + part % 2;
    double dot = 0.0;
    for (int k = 0; k < STEP_DEPTH; ++k) {
      const int word = k / in_word, of_lane = word % 4, number = word / 4;
      dot += host_cuda::element(all[row % 8 * 4 + of_lane].a[row / 8 + 2 * number], k % in_word) *
             host_cuda::element(all[column * 4 + of_lane].b[number], k % in_word);
    }
    sum[part] += static_cast<Sum>(dot);
  }
}

/// Warp groups need only their own warp's rows, and exchanged values are available at once.
template <class Word>
void multiply_by_group(float* sum, const Word* a, const Word* b) {
  constexpr int in_word = STEP_DEPTH == 16 ? 2 : 1;
  struct Words {
    Word a[4];
  } mine;
  std::memcpy(mine.a, a, sizeof mine.a);
  const unsigned lane = threadIdx.x;
  const Words* const all = host_cuda::shown_by_warp(mine);
  for (int part = 0; part < 64; ++part) {
    const int row = lane / 4 + 8 * (part / 2 % 2), column = part / 4 * 8 + 2 * (lane % 4) + part % 2;
    double dot = 0.0;
    for (int k = 0; k < STEP_DEPTH; ++k) {
      const int word = k / in_word;
      const std::size_t straight = reinterpret_cast<std::size_t>(b) + 128 * column + 4 * word;
      const Word of_b = *reinterpret_cast<const Word*>(straight ^ (straight >> 7 & 7) << 4);
      dot += host_cuda::element(all[row % 8 * 4 + word % 4].a[row / 8 + 2 * (word / 4)], k % in_word) *
             host_cuda::element(of_b, k % in_word);
    }
    sum[part] += static_cast<float>(dot);
  }
}
inline void begin_multiplications() {}
inline void end_multiplications() {}
inline void show_to_tensor_cores() {}
#define WAIT_FOR_MULTIPLICATIONS_BUT(count)
#define CHANGED(sum)
inline std::size_t __cvta_generic_to_shared(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }

inline void load_matrices(unsigned* words, const unsigned* row) {
  const unsigned lane = threadIdx.x;
  const unsigned* const* const rows = host_cuda::shown_by_warp(row);
  for (int matrix = 0; matrix < 4; ++matrix) words[matrix] = rows[8 * matrix + lane / 4][lane % 4];
}

inline void load_turned_matrices(unsigned* words, const unsigned* row) {
  const unsigned lane = threadIdx.x;
  const unsigned* const* const rows = host_cuda::shown_by_warp(row);
  const auto half = [&](int matrix, int of_row) {
    return rows[8 * matrix + of_row][lane / 8] >> 16 * (lane / 4 % 2) & 0xffff;
  };
  for (int matrix = 0; matrix < 4; ++matrix)
    words[matrix] = half(matrix, 2 * (lane % 4)) | half(matrix, 2 * (lane % 4) + 1) << 16;
}
