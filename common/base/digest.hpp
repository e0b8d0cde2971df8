// Short names for contents: equal contents, equal digests.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace boltzmark {

/// FNV-1a, 64 bits, as 16 hexadecimal digits.
std::string digest_of(std::string_view content);

/// The same of a file. Throws Error (bad_input) when it cannot be read.
std::string digest_of_file(const std::filesystem::path& file);

}  // namespace boltzmark
