#include "common/lbm/image.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark::lbm {
namespace {

using Colour = std::array<double, 3>;

/// A few stops of a perceptually even map (matplotlib's viridis, public domain), dark to bright.
constexpr std::array<Colour, 6> stops = {
    {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};
constexpr std::array<png_byte, 3> obstacle_colour = {128, 128, 128};

std::array<png_byte, 3> colour_of(double fraction) {
  const double at = std::clamp(fraction, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  std::array<png_byte, 3> colour{};
  for (std::size_t i = 0; i < 3; ++i)
    colour[i] = static_cast<png_byte>(std::lround(
        stops[below][i] + (at - static_cast<double>(below)) * (stops[below + 1][i] - stops[below][i])));
  return colour;
}

std::vector<png_byte> paint(const Problem& problem, const State& state) {
  const int nx = problem.parameters.nx, ny = problem.parameters.ny, z = problem.parameters.nz / 2;
  const auto solid = problem.parameters.dimension == 2 ? problem.solid_mask() : problem.solid_mask(z, 1);
  const std::size_t first = solid.size() * static_cast<std::size_t>(z);
  double fastest = 0.0;
  for (std::size_t i = 0; i < solid.size(); ++i) fastest = std::fmax(fastest, state.speed(first + i));
  std::vector<png_byte> pixels;
  pixels.reserve(solid.size() * 3);
  for (int y = ny - 1; y >= 0; --y)  // a PNG's first row is its top
    for (int x = 0; x < nx; ++x) {
      const auto cell = static_cast<std::size_t>(y) * nx + x;
      const double speed = state.speed(first + cell);
      const auto colour = solid[cell] ? obstacle_colour : colour_of(fastest > 0.0 ? speed / fastest : 0.0);
      pixels.insert(pixels.end(), colour.begin(), colour.end());
    }
  return pixels;
}

}  // namespace

void write_speed_image(const std::filesystem::path& file, const Problem& problem, const State& state) {
  const auto pixels = paint(problem, state);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(problem.parameters.nx);
  image.height = static_cast<png_uint_32>(problem.parameters.ny);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string encoded(size, '\0');
  if (!png_image_write_to_memory(&image, encoded.data(), &size, 0, pixels.data(), 0, nullptr))
    throw bad_input("{}: expected to encode a {} x {} picture, found: {}", file.string(),
                    problem.parameters.nx, problem.parameters.ny, image.message);
  encoded.resize(size);
  AtomicFile out(file);
  out.write(encoded);
  out.commit();
}

}  // namespace boltzmark::lbm
