// Fields as pictures.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace boltzmark {

using Pixel = std::array<unsigned char, 3>;  ///< red, green, blue

/// From 0, dark, to 1, bright.
Pixel colour_of(double fraction);

/// Writes a PNG, row by row from the top. The file appears complete or not at all. Throws Error (bad_input), or in a
/// build for another architecture Error (unavailable).
void write_picture(const std::filesystem::path& file, std::int64_t width, std::int64_t height,
                   std::span<const Pixel> pixels);

/// The same for a field from `least` (dark) to `greatest` (bright); value(x, y), y from the top, is called row by row.
void write_field(const std::filesystem::path& file, std::int64_t width, std::int64_t height, double least,
                 double greatest, const std::function<double(std::int64_t x, std::int64_t y)>& value);

/// The same for rows of `width` values, from the least to the greatest of these.
void write_rows(const std::filesystem::path& file, std::int64_t width, std::span<const double> values);

}  // namespace boltzmark
