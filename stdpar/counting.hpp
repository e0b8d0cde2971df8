// Indices for algorithms.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace boltzmark::stdpar {

/// An index as an iterator: counting(0) to counting(n) are the numbers 0 .. n-1. Those of std::views::iota would do
/// by the standard's later words; GCC's library takes them for iterators that go one step at a time, and then runs
/// an algorithm on one thread whatever its policy.
class counting {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::int64_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;

  counting() = default;
  explicit counting(value_type at) : at_(at) {}

  value_type operator*() const { return at_; }
  value_type operator[](difference_type n) const { return at_ + n; }
  counting& operator++() { return *this += 1; }
  counting& operator--() { return *this -= 1; }
  counting operator++(int) { return counting(at_++); }
  counting operator--(int) { return counting(at_--); }
  counting& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  counting& operator-=(difference_type n) { return *this += -n; }
  friend counting operator+(counting a, difference_type n) { return a += n; }
  friend counting operator+(difference_type n, counting a) { return a += n; }
  friend counting operator-(counting a, difference_type n) { return a -= n; }
  friend difference_type operator-(counting a, counting b) { return a.at_ - b.at_; }
  auto operator<=>(const counting&) const = default;

 private:
  value_type at_ = 0;
};

}  // namespace boltzmark::stdpar
