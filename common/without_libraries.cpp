// In place of caches.cpp and image.cpp in a build for another architecture, which has nothing of it but the
// compiler's own libraries: no hwloc to ask for caches, no libpng to encode a picture.
#include "common/cpu/caches.hpp"
#include "common/error.hpp"
#include "common/image.hpp"

namespace boltzmark {

const CoreCaches& core_caches() {
  static const CoreCaches unknown;
  return unknown;
}

std::uint64_t last_level_cache_bytes(const cpu_set_t&) { return 0; }

void write_speed_image(const std::filesystem::path& file, const Problem&, const State&) {
  throw unavailable("--image: expected libpng to write {} with, found that this is a cross build without it",
                    file.string());
}

}  // namespace boltzmark
