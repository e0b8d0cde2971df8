#include "common/picture/picture.hpp"

#ifdef BOLTZMARK_HAS_PNG
#include <png.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/files.hpp"

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
    colour[i] = static_cast<unsigned char>(
        std::lround(stops[below][i] + (at - static_cast<double>(below)) * (stops[below + 1][i] - stops[below][i])));
  return colour;
}

#ifdef BOLTZMARK_HAS_PNG
void write_picture(const std::filesystem::path& file, std::int64_t width, std::int64_t height,
                   std::span<const Pixel> pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string encoded(size, '\0');
  if (!png_image_write_to_memory(&image, encoded.data(), &size, 0, pixels.data(), 0, nullptr))
    throw bad_input("{}: expected to encode a {} x {} picture, found: {}", file.string(), width, height, image.message);
  encoded.resize(size);
  AtomicFile out(file);
  out.write(encoded);
  out.commit();
}

#else  // a build for another architecture
void write_picture(const std::filesystem::path& file, std::int64_t, std::int64_t, std::span<const Pixel>) {
  throw unavailable("--image: expected libpng to write {} with, found that this is a cross build without it",
                    file.string());
}

#endif

void write_field(const std::filesystem::path& file, std::int64_t width, std::int64_t height, double least,
                 double greatest, const std::function<double(std::int64_t, std::int64_t)>& value) {
  const double range = greatest > least ? greatest - least : 1.0;
  std::vector<Pixel> pixels;
  pixels.reserve(static_cast<std::size_t>(width * height));
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) pixels.push_back(colour_of((value(x, y) - least) / range));
  write_picture(file, width, height, pixels);
}

void write_rows(const std::filesystem::path& file, std::int64_t width, std::span<const double> values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  write_field(file, width, static_cast<std::int64_t>(values.size()) / width, *least, *greatest,
              [&](std::int64_t x, std::int64_t y) { return values[static_cast<std::size_t>(y * width + x)]; });
}

}  // namespace boltzmark
