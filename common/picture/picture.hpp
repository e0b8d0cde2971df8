// Fields as pictures.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

namespace boltzmark {

using Pixel = std::array<unsigned char, 3>;  ///< red, green, blue

/// From 0, dark, to 1, bright.
Pixel colour_of(double fraction);

/// Writes a PNG, row by row from the top. The file appears whole or not at all. Throws Error (bad_input), in a build
/// for another architecture Error (unavailable).
void write_picture(const std::filesystem::path& file, std::int64_t width, std::int64_t height,
                   std::span<const Pixel> pixels);

}  // namespace boltzmark
