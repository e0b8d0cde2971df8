#include "common/stream/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/error.hpp"

namespace boltzmark::stream {
namespace {

constexpr double gib = 1 << 30;

/// A constant as the precision holds it.
double rounded(double value, Precision precision) {
  return precision == Precision::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// "three arrays of 4.0 GiB each".
std::string three_arrays(std::int64_t elements, Precision precision) {
  const double bytes = static_cast<double>(elements) * bytes_of(precision);
  return fmt::format("three arrays of {:.3g} GiB each", bytes / gib);
}

}  // namespace

Values Values::start(Precision precision) {
  return {rounded(start_a, precision), rounded(start_b, precision), rounded(start_c, precision)};
}

void Values::turn(Precision precision) {
  const double factor = rounded(scalar, precision);
  c = a;
  b = factor * c;
  c = a + b;
  a = b + factor * c;
}

double execute(Kernels& kernels, Operation operation) {
  switch (operation) {
    case Operation::copy:
      kernels.copy();
      break;
    case Operation::mul:
      kernels.mul();
      break;
    case Operation::add:
      kernels.add();
      break;
    case Operation::triad:
      kernels.triad();
      break;
    case Operation::dot:
      return kernels.dot();
  }
  return 0.0;
}

double relative_error(double value, double expected) {
  const double error = std::abs(value - expected) / std::abs(expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double array_error(Kernels& kernels, Array array, double expected) {
  constexpr std::int64_t block = 1 << 20;  // elements looked at in one go: a device's array need not fit here
  const std::int64_t part = kernels.part();
  std::vector<double> values(static_cast<std::size_t>(std::min(block, part)));
  double largest = 0.0;
  for (std::int64_t first = 0; first < part; first += block) {
    const auto count = static_cast<std::size_t>(std::min(block, part - first));
    kernels.read(array, first, {values.data(), count});
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      largest = std::max(largest, std::abs(values[i] - expected));
      sum += values[i];  // what is not a number passes a comparison but not a sum
    }
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  }
  return largest / std::abs(expected);
}

double tolerance(Precision precision) {
  const double rounding =
      precision == Precision::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return 100.0 * rounding;
}

std::int64_t choose_elements(Kernels& kernels, std::optional<std::int64_t> asked, Precision precision) {
  if (asked) {
    const std::string shortage = kernels.shortage(*asked);
    if (shortage.empty()) return *asked;
    throw unavailable("expected three arrays that fit the memory, found {} for {}", shortage,
                      three_arrays(*asked, precision));
  }
  constexpr std::int64_t device_wish = std::int64_t{1} << 27, least = std::int64_t{1} << 25;
  const Memory memory = kernels.memory();
  const auto four_caches = static_cast<std::int64_t>(4 * memory.cache_bytes) / bytes_of(precision);
  std::int64_t enough = memory.cache_bytes > 0 ? four_caches : least, elements = enough;
  if (memory.of_device) {
    enough = std::max(four_caches, least);
    elements = std::max(four_caches, device_wish);
  }
  std::string shortage = kernels.shortage(elements);
  while (!shortage.empty() && elements / 2 >= enough) shortage = kernels.shortage(elements /= 2);
  if (shortage.empty()) return elements;
  throw unavailable("expected memory for {}, which no cache holds, found {}; ELEMENTS chooses another size",
                    three_arrays(elements, precision), shortage);
}

}  // namespace boltzmark::stream
