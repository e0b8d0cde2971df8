#include <png.h>

#include <string>

#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/picture/picture.hpp"

namespace boltzmark {

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
    throw bad_input("{}: expected to encode a {} x {} picture, found: {}", file.string(), width, height,
                    image.message);
  encoded.resize(size);
  AtomicFile out(file);
  out.write(encoded);
  out.commit();
}

}  // namespace boltzmark
