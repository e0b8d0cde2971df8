// A number that counts the floating-point operations done with it: FLOPs per update come from running the
// very code that is timed on this type, not from a constant kept by hand.
#pragma once

#include <cmath>
#include <cstdint>

namespace boltzmark {

/// Behaves as a double; every +, -, *, /, square root and comparison counts as one operation, a choice as
/// none.
class Counted {
 public:
  Counted() = default;
  Counted(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): stands in for a number

  /// Operations done on this thread so far.
  static std::uint64_t operations() { return operations_; }

  explicit operator double() const { return value_; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend Counted operator+(Counted a, Counted b) { return count(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return count(a.value_ - b.value_); }
  friend Counted operator-(Counted a) { return Counted(-a.value_); }  // costs nothing inside another operation
  friend Counted operator*(Counted a, Counted b) { return count(a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return count(a.value_ / b.value_); }
  friend bool operator>(Counted a, Counted b) { return ++operations_, a.value_ > b.value_; }
  friend Counted square_root(Counted a) { return count(std::sqrt(a.value_)); }
  friend Counted ratio(Counted a, Counted b) { return a / b; }
  friend Counted multiply_add(Counted a, Counted b, Counted c) { return a * b + c; }
  friend Counted choose(bool mask, Counted if_true, Counted if_false) { return mask ? if_true : if_false; }

 private:
  static Counted count(double value) { return ++operations_, Counted(value); }
  double value_ = 0.0;
  static inline thread_local std::uint64_t operations_ = 0;
};

/// Operations that `work()` does on Counted values.
template <class Work>
double count_flops(Work&& work) {
  const std::uint64_t before = Counted::operations();
  work();
  return static_cast<double>(Counted::operations() - before);
}

}  // namespace boltzmark
