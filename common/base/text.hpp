// Words and numbers in text: the suite's only definition of "a number", and a few helpers.
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

/// The whole text as a number; empty if it is anything else: no text, with spaces around it, followed by something, or
/// beyond the range of the type.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return {};
  return number;
}

/// The parts of a text between separators; an empty text has one empty part.
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

/// The sides of a size "AxBxC", any number of them, each from 1 to `most`; empty if the text is anything else.
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

/// Text of a user or a file in quotes, cut after this many characters, for one line of a message; characters that
/// cannot be printed become question marks.
inline std::string quoted(std::string_view text, std::size_t most = 40) {
  std::string shown;
  for (const char c : text.substr(0, most))
    shown += c == '\t' ? ' ' : std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return fmt::format("\"{}{}\"", shown, text.size() > most ? "..." : "");
}

/// Bytes of the control character at the start of a text, 0 if it starts with another character. In UTF-8 control
/// characters include those of ISO 6429, two line separators, and those that change the direction of writing and so can
/// disguise a text.
inline std::size_t control_at_start(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto first = static_cast<unsigned char>(text[0]); first < 0x20 || first == 0x7f) return 1;
  const auto lies_in = [&text](std::string_view least, std::string_view most) {
    const std::string_view start = text.substr(0, least.size());
    return start.size() == least.size() && start >= least && start <= most;
  };
  if (lies_in("\u0080", "\u009f") || lies_in("\u061c", "\u061c")) return 2;
  const bool turns = lies_in("\u200e", "\u200f") || lies_in("\u202a", "\u202e") || lies_in("\u2066", "\u2069");
  return turns || lies_in("\u2028", "\u2029") ? 3 : 0;
}

/// The text with a question mark for each control character, which names of files and devices may contain, except those
/// that are `kept`.
inline std::string one_line(std::string_view text, std::string_view kept = "") {
  std::string line;
  while (!text.empty()) {
    const std::size_t control = control_at_start(text), taken = std::max<std::size_t>(1, control);
    line += control > 0 && kept.find(text[0]) == kept.npos ? '?' : text[0];
    text.remove_prefix(taken);
  }
  return line;
}

/// "1 step", "2 steps".
inline std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace boltzmark
