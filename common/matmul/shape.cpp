#include "common/matmul/shape.hpp"

#include <fmt/core.h>

#include <charconv>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark::matmul {

Shape parse_shape(const std::string& text) {
  std::vector<std::int64_t> numbers;
  const char *at = text.data(), *const end = at + text.size();
  for (bool more = true; more; ++at) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1 || number > largest_size) break;
    numbers.push_back(number);
    at = stop;
    more = at != end && *at == 'x';
  }
  const bool is_whole = at == end + 1;
  if (!is_whole || (numbers.size() != 1 && numbers.size() != 3))
    throw bad_input("expected N or MxNxK with numbers from 1 to {}, found \"{}\"", largest_size, text);
  const Shape shape = {numbers.front(), numbers[numbers.size() / 2], numbers.back()};
  if (shape.k > longest_depth)
    throw bad_input("expected K of at most {}, for sums that floats hold exactly, found {}", longest_depth, shape.k);
  return shape;
}

std::string to_string(const Shape& shape) {
  if (shape.m == shape.n && shape.n == shape.k) return std::to_string(shape.m);
  return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

}  // namespace boltzmark::matmul
