// Operations beside multiply-adds: the words of the layer for them, on operands that the compiler knows nothing of, so
// that none waits for another.
#include <utility>

#include "analysis/peaks/cpu/loops.hpp"
#include "common/target/random.h"

namespace boltzmark {
namespace {

constexpr int operands = 8, times = 4;  // in registers, with what an operation needs; of each in a round

/// The same vector, which from here on may be any.
template <class Vector>
KERNEL_FN void forget(Vector& x) {
#if defined(__x86_64__)
  asm volatile("" : "+v"(x));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+m"(x));
#endif
}

template <class Operation, std::size_t... I>
KERNEL_FN void repeat(long rounds, std::index_sequence<I...>) {
  typename Operation::Vector x[sizeof...(I)] = {Operation::operand(I)...};
  const auto one = [](auto& operand) {
    forget(operand);
    auto result = Operation::of(operand);
    forget(result);
  };
  for (long round = 0; round < rounds; ++round)
    for (int i = 0; i < times; ++i) (one(x[I]), ...);
}

template <class T>
struct OnNumbers {
  static constexpr int lanes = native_lanes<T>;
  using Value = T;
  using Number = Pack<T, lanes>;
  using Vector = typename Number::Raw;
  static Vector operand(std::size_t i) { return Vector{} + static_cast<T>(1.37 + 0.01 * static_cast<double>(i)); }
  static constexpr const char* precision = sizeof(T) == sizeof(float) ? "f32" : "f64";
};
template <class T>
struct Division : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return ratio(T(1.7), typename OnNumbers<T>::Number{x}).raw;
  }
  static constexpr const char* name = operation::division;
};
template <class T>
struct Root : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return inverse_root_cubed(typename OnNumbers<T>::Number{x}).raw;
  }
  static constexpr const char* name = operation::root;
};
struct WideMultiplication {
  using Value = std::uint64_t;
  static constexpr int lanes = native_lanes<double>;
  using Vector = target::Draws<lanes>::Words;
  static Vector operand(std::size_t i) { return Vector{} + (PHILOX_MULTIPLIER + i); }
  static KERNEL_FN Vector of(Vector x) { return target::Draws<lanes>::times_multiplier(x); }
  static constexpr const char *name = operation::wide_multiplication, *precision = "u32";
};

template <class Operation>
FlopKernel kernel_of() {
  return {.precision = Operation::precision,
          .vector_bits = static_cast<int>(8 * sizeof(typename Operation::Value)) * Operation::lanes,
          .lanes = Operation::lanes,
          .operations_a_round = operands * times,
          .run = [](long rounds) { repeat<Operation>(rounds, std::make_index_sequence<operands>()); },
          .operation = Operation::name};
}

}  // namespace

std::vector<FlopKernel> operation_kernels() {
  return {kernel_of<Division<float>>(), kernel_of<Division<double>>(), kernel_of<Root<float>>(),
          kernel_of<Root<double>>(), kernel_of<WideMultiplication>()};
}

}  // namespace boltzmark
