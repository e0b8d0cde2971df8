// In place of png.cpp in a build for another architecture, which has no libpng to encode a picture.
#include "common/base/error.hpp"
#include "common/picture/picture.hpp"

namespace boltzmark {

void write_picture(const std::filesystem::path& file, std::int64_t, std::int64_t, std::span<const Pixel>) {
  throw unavailable("--image: expected libpng to write {} with, found that this is a cross build without it",
                    file.string());
}

}  // namespace boltzmark
