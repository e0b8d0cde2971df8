#include <algorithm>
#include <cmath>

#include "common/picture/picture.hpp"

namespace boltzmark {
namespace {

using Colour = std::array<double, 3>;

/// A few stops of a perceptually even map (matplotlib's viridis, public domain), dark to bright.
constexpr std::array<Colour, 6> stops = {
    {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};

}  // namespace

Pixel colour_of(double fraction) {
  const double at = std::clamp(fraction, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  Pixel colour{};
  for (std::size_t i = 0; i < 3; ++i)
    colour[i] = static_cast<unsigned char>(std::lround(
        stops[below][i] + (at - static_cast<double>(below)) * (stops[below + 1][i] - stops[below][i])));
  return colour;
}

}  // namespace boltzmark
