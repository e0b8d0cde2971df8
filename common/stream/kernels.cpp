#include "common/stream/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/run/workload_of.hpp"

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
  constexpr std::array without_sum = {&Kernels::copy, &Kernels::mul, &Kernels::add, &Kernels::triad};
  if (operation == Operation::dot) return kernels.dot();
  (kernels.*without_sum[static_cast<std::size_t>(operation)])();
  return 0.0;
}

double relative_error(double value, double expected) {
  const double error = std::abs(value - expected) / std::abs(expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double array_error(Kernels& kernels, Array array, double expected) {
  return largest_error(
      kernels.part(), [&](std::int64_t first, std::span<double> values) { kernels.read(array, first, values); },
      [expected](std::int64_t) { return expected; }, 0.0);
}

double tolerance(Precision precision) {
  const double rounding =
      precision == Precision::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return 100.0 * rounding;
}

std::int64_t choose_elements(Kernels& kernels, std::optional<std::int64_t> asked, Precision precision) {
  const auto shortage_for = [&](std::int64_t elements) {
    return kernels.shortage(3.0 * bytes_of(precision) * static_cast<double>(elements));
  };
  if (asked) {
    const std::string shortage = shortage_for(*asked);
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
  std::string shortage = shortage_for(elements);
  while (!shortage.empty() && elements / 2 >= enough) shortage = shortage_for(elements /= 2);
  if (shortage.empty()) return elements;
  throw unavailable("expected memory for {}, which no cache holds, found {}; ELEMENTS chooses another size",
                    three_arrays(elements, precision), shortage);
}

}  // namespace boltzmark::stream
