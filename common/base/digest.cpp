#include "common/base/digest.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

constexpr std::uint64_t start = 14695981039346656037u;

std::uint64_t add(std::uint64_t digest, std::string_view content) {
  for (const unsigned char byte : content) digest = (digest ^ byte) * 1099511628211u;
  return digest;
}

}  // namespace

std::string digest_of(std::string_view content) { return fmt::format("{:016x}", add(start, content)); }

std::string digest_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw bad_input("{}: expected a file to read, found none", file.string());
  std::uint64_t digest = start;
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0)
    digest = add(digest, {buffer.data(), static_cast<std::size_t>(in.gcount())});
  return fmt::format("{:016x}", digest);
}

}  // namespace boltzmark
