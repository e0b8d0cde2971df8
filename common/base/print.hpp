// Output to the user. A stream that cannot be written to never ends a program: errors on standard error are ignored,
// and loss of standard output is detected at the end.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <utility>

#include "common/base/text.hpp"

namespace boltzmark {

inline void print_text(std::FILE* stream, const std::string& text) { std::fwrite(text.data(), 1, text.size(), stream); }

/// To standard output.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  print_text(stdout, fmt::format(format, std::forward<Args>(args)...));
}

inline void print_error(const std::string& program, const std::string& line) {
  print_text(stderr, program + ": error: " + one_line(line) + '\n');
}

/// Neither result nor error: "boltzmark: 3 of 4 runs are finished".
inline void print_note(const std::string& program, const std::string& line) {
  print_text(stderr, program + ": " + one_line(line) + '\n');
}

inline void print_warning(const std::string& program, const std::string& line) {
  print_text(stderr, program + ": warning: " + one_line(line) + '\n');
}

/// Flushes the output; false if some of it was lost.
inline bool flush_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace boltzmark
