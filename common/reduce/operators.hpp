// The operators of a reduction. They take numbers, or vectors of them; a model chooses the type at run time with
// with_operator. Included by code for offload devices, so without a library.
#pragma once

#include <cstdint>
#include <limits>

#include "common/base/compensated_sum.hpp"
#include "common/reduce/value.h"

namespace boltzmark::reduce {

/// sum, product, min and max are of numbers of the precision; the others of unsigned integers as wide as these.
enum class Operator { sum, product, min, max, bit_and, bit_or, bit_xor };

/// The task.
struct Task {
  std::int64_t elements = 0;
  std::int64_t first = 0;  ///< number of the first of them, in an array divided among processes
  Operator op = Operator::sum;
  bool is_ramp = false;  ///< 0, 1, 2 ... instead of the operator's own values; sums are then no longer exact
  bool is_wide = false;  ///< 64 bits a value
};

/// The result of a reduction: of numbers, or of words.
struct Result {
  double number = 0.0;
  std::uint64_t word = 0;
  bool operator==(const Result&) const = default;
};
inline Result result_of(double number) { return {.number = number}; }
inline Result result_of(float number) { return {.number = static_cast<double>(number)}; }
inline Result result_of(std::uint32_t word) { return {.word = word}; }
inline Result result_of(std::uint64_t word) { return {.word = word}; }

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

// name, Operator, of(a, b), neutral element, value number `number`, which is below 2^32
#define EACH_OPERATOR(OPERATOR)                                                                           \
  OPERATOR(Sum, sum, a + b, T(0), T(0.125) * static_cast<T>(eighths_at(number)))                          \
  OPERATOR(Product, product, (a * b), T(1), T(0.5) * static_cast<T>(halves_at(number)))                   \
  OPERATOR(Min, min, b < a ? b : a, infinity<T>, static_cast<T>(extreme_at(number)))                      \
  OPERATOR(Max, max, a < b ? b : a, -infinity<T>, static_cast<T>(extreme_at(number)))                     \
  OPERATOR(And, bit_and, (a & b), static_cast<T>(~T(0)), static_cast<T>(~mark_at(number, 8 * sizeof(T)))) \
  OPERATOR(Or, bit_or, a | b, T(0), static_cast<T>(mark_at(number, 8 * sizeof(T))))                       \
  OPERATOR(Xor, bit_xor, a ^ b, T(0), static_cast<T>(word_at(number)))

#define OPERATOR_STRUCT(Name, enumerator, result, neutral_element, value_at) \
  struct Name {                                                              \
    static constexpr Operator op = Operator::enumerator;                     \
    template <class V>                                                       \
    static KERNEL_FN V of(V a, V b) {                                        \
      return result;                                                         \
    }                                                                        \
    template <class T>                                                       \
    static constexpr T neutral = neutral_element;                            \
    template <class T>                                                       \
    static KERNEL_FN T value(unsigned int number) {                          \
      return value_at;                                                       \
    }                                                                        \
  };
EACH_OPERATOR(OPERATOR_STRUCT)
#undef OPERATOR_STRUCT

/// Accumulator of partial results.
template <class Op, class T>
class Total {
 public:
  KERNEL_FN void take(T value) { value_ = Op::of(value_, value); }
  KERNEL_FN void take(const Total& other) { take(other.value_); }
  KERNEL_FN static Total of(Total a, const Total& b) { return a.take(b), a; }
  Result result() const { return result_of(value_); }

 private:
  T value_ = Op::template neutral<T>;
};

/// Compensated sums in double precision.
template <class T>
class Total<Sum, T> {
 public:
  KERNEL_FN void take(T value) { sum_.add(static_cast<double>(value)); }
  KERNEL_FN void take(const Total& other) { sum_.add(other.sum_); }
  KERNEL_FN static Total of(Total a, const Total& b) { return a.take(b), a; }
  Result result() const { return result_of(sum_.value()); }

 private:
  CompensatedSum sum_;
};

/// Calls work(operator, T()) for a task's operator and type of values.
template <class Work>
auto with_operator(const Task& task, Work&& work) {
  const auto of_numbers = [&](auto op) { return task.is_wide ? work(op, double()) : work(op, float()); };
  const auto of_words = [&](auto op) { return task.is_wide ? work(op, std::uint64_t()) : work(op, std::uint32_t()); };
  if (task.op == Operator::product) return of_numbers(Product());
  if (task.op == Operator::min) return of_numbers(Min());
  if (task.op == Operator::max) return of_numbers(Max());
  if (task.op == Operator::bit_and) return of_words(And());
  if (task.op == Operator::bit_or) return of_words(Or());
  if (task.op == Operator::bit_xor) return of_words(Xor());
  return of_numbers(Sum());
}

}  // namespace boltzmark::reduce
