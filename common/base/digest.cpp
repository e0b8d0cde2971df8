#include "common/base/digest.hpp"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark {

std::string Fnv1a::text() const { return fmt::format("{:016x}", value_); }

std::string digest_of(std::string_view content) {
  Fnv1a digest;
  digest.add(content.data(), content.size());
  return digest.text();
}

std::string digest_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw bad_input("{}: expected a file to read, found none", file.string());
  Fnv1a digest;
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0)
    digest.add(buffer.data(), static_cast<std::size_t>(in.gcount()));
  return digest.text();
}

}  // namespace boltzmark
