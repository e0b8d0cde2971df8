// Short names for contents: equal contents, equal digests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace boltzmark {

/// FNV-1a, 64 bits, of everything added.
class Digest {
 public:
  void add(std::string_view content);
  /// The bytes of a value, or of consecutive ones.
  template <class T>
  void add_bytes(const T* values, std::size_t count) {
    add({reinterpret_cast<const char*>(values), count * sizeof(T)});
  }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

std::string digest_of(std::string_view content);

/// Digest of a file's content. Throws Error (bad_input) if it cannot be read.
std::string digest_of_file(const std::filesystem::path& file);

}  // namespace boltzmark
