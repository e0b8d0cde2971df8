// Short names for contents: equal contents, equal digests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace boltzmark {

/// The hash FNV-1a, 64 bits, of bytes given piece by piece.
class Fnv1a {
 public:
  void add(const void* data, std::size_t size) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 1099511628211u;
  }
  std::uint64_t value() const { return value_; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

/// FNV-1a as text.
std::string digest_of(std::string_view content);

/// The same of a file. Throws Error (bad_input) when it cannot be read.
std::string digest_of_file(const std::filesystem::path& file);

}  // namespace boltzmark
