#include "common/matmul/shape.hpp"

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark::matmul {

Shape parse_shape(const std::string& text) {
  const auto numbers = sides_in(text, largest_size);
  if (numbers.size() != 1 && numbers.size() != 3)
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
