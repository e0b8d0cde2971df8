// In place of image.cpp in a build for another architecture, which has no libpng to encode a picture.
#include "common/base/error.hpp"
#include "common/lbm/image.hpp"

namespace boltzmark::lbm {

void write_speed_image(const std::filesystem::path& file, const Problem&, const State&) {
  throw unavailable("--image: expected libpng to write {} with, found that this is a cross build without it",
                    file.string());
}

}  // namespace boltzmark::lbm
