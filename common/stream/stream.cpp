#include "common/stream/stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/error.hpp"

namespace boltzmark {
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

StreamValues StreamValues::start(Precision precision) {
  return {rounded(stream_start_a, precision), rounded(stream_start_b, precision),
          rounded(stream_start_c, precision)};
}

void StreamValues::turn(Precision precision) {
  const double scalar = rounded(stream_scalar, precision);
  c = a;
  b = scalar * c;
  c = a + b;
  a = b + scalar * c;
}

double execute(Stream& stream, StreamOperation operation) {
  switch (operation) {
    case StreamOperation::copy:
      stream.copy();
      break;
    case StreamOperation::mul:
      stream.mul();
      break;
    case StreamOperation::add:
      stream.add();
      break;
    case StreamOperation::triad:
      stream.triad();
      break;
    case StreamOperation::dot:
      return stream.dot();
  }
  return 0.0;
}

double relative_error(double value, double expected) {
  const double error = std::abs(value - expected) / std::abs(expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double stream_error(Stream& stream, StreamArray array, double expected) {
  constexpr std::int64_t block = 1 << 20;  // elements looked at in one go: a device's array need not fit here
  const std::int64_t part = stream.part();
  std::vector<double> values(static_cast<std::size_t>(std::min(block, part)));
  double largest = 0.0;
  for (std::int64_t first = 0; first < part; first += block) {
    const auto count = static_cast<std::size_t>(std::min(block, part - first));
    stream.read(array, first, {values.data(), count});
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      largest = std::max(largest, std::abs(values[i] - expected));
      sum += values[i];  // what is no number passes a comparison but not a sum
    }
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  }
  return largest / std::abs(expected);
}

double stream_tolerance(Precision precision) {
  const double rounding = precision == Precision::f32 ? std::numeric_limits<float>::epsilon()
                                                      : std::numeric_limits<double>::epsilon();
  return 100.0 * rounding;
}

std::int64_t choose_stream_elements(Stream& stream, std::optional<std::int64_t> asked, Precision precision) {
  if (asked) {
    const std::string shortage = stream.shortage(*asked);
    if (shortage.empty()) return *asked;
    throw unavailable("--stream-elements: expected three arrays that fit the memory, found {} for {}",
                      shortage, three_arrays(*asked, precision));
  }
  constexpr std::int64_t device_wish = std::int64_t{1} << 27, least = std::int64_t{1} << 25;
  const StreamMemory memory = stream.memory();
  const auto four_caches = static_cast<std::int64_t>(4 * memory.cache_bytes) / bytes_of(precision);
  std::int64_t enough = memory.cache_bytes > 0 ? four_caches : least, elements = enough;
  if (memory.of_device) {
    enough = std::max(four_caches, least);
    elements = std::max(four_caches, device_wish);
  }
  std::string shortage = stream.shortage(elements);
  while (!shortage.empty() && elements / 2 >= enough) shortage = stream.shortage(elements /= 2);
  if (shortage.empty()) return elements;
  throw unavailable(
      "--stream: expected memory for {}, which no cache holds, found {}; --stream-elements chooses another "
      "size",
      three_arrays(elements, precision), shortage);
}

}  // namespace boltzmark
