// Words and numbers in text: the one notion of "a number" that the suite has, and a few helpers.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace boltzmark {

/// The number that the whole text is; none where it is anything else: empty, surrounded by spaces, followed by
/// something, or beyond what the type holds.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return {};
  return number;
}

/// The parts of a text between separators; one empty part of an empty text.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

inline constexpr std::string_view blanks = " \t\r\n\v\f";

/// The words of a text between blanks.
inline std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(blanks, begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// The sides of a size "AxBxC", as many as there are, each from 1 to `most`; none where the text is anything else.
inline std::vector<std::int64_t> sides_in(std::string_view text, std::int64_t most) {
  std::vector<std::int64_t> sides;
  for (const std::string& word : split(text, 'x')) {
    const auto side = parse_number<std::int64_t>(word);
    if (!side || *side < 1 || *side > most) return {};
    sides.push_back(*side);
  }
  return sides;
}

inline std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text.append(&word == words.data() ? "" : between).append(word);
  return text;
}

inline std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

inline bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Text of a user or a file between quotes, cut after so many characters, fit for one line of a message: what cannot
/// be printed is a question mark.
inline std::string quoted(std::string_view text, std::size_t most = 40) {
  std::string shown;
  for (const char c : text.substr(0, most))
    shown += c == '\t' ? ' ' : std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return fmt::format("\"{}{}\"", shown, text.size() > most ? "..." : "");
}

/// The text without control characters, which names of files and devices may hold: a question mark for each.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

/// "1 step", "2 steps".
inline std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace boltzmark
