#include "common/base/digest.hpp"

#include <fmt/core.h>

#include <fstream>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark {

void Digest::add(std::string_view content) {
  for (const unsigned char byte : content) value_ = (value_ ^ byte) * 1099511628211u;
}

std::string Digest::text() const { return fmt::format("{:016x}", value_); }

std::string digest_of(std::string_view content) {
  Digest digest;
  digest.add(content);
  return digest.text();
}

std::string digest_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw bad_input("{}: expected a file to read, found none", file.string());
  Digest digest;
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0)
    digest.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
  return digest.text();
}

}  // namespace boltzmark
