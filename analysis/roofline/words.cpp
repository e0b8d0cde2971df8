#include "analysis/roofline/words.hpp"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// The text's first 1000 characters, in which each match of a pattern of POSIX is replaced: by its group `kept`, if any,
/// and `by`. With std::regex more than half of this source's compile time would be that.
std::string pattern_replaced(std::string text, const char* pattern, const char* by, std::size_t kept = 0) {
  text = text.substr(0, 1000);
  regex_t compiled;
  if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) throw std::logic_error(pattern);
  std::array<regmatch_t, 4> found{};  // the match and its groups
  std::string made;
  std::size_t from = 0;
  const auto part = [&text](std::size_t start, std::size_t end) { return text.substr(start, end - start); };
  for (;;) {
    found[0] = {.rm_so = static_cast<regoff_t>(from), .rm_eo = static_cast<regoff_t>(text.size())};
    if (regexec(&compiled, text.c_str(), found.size(), found.data(), REG_STARTEND) != 0) break;
    made += part(from, static_cast<std::size_t>(found[0].rm_so));
    if (kept > 0)
      made += part(static_cast<std::size_t>(found[kept].rm_so), static_cast<std::size_t>(found[kept].rm_eo));
    made += by;
    from = static_cast<std::size_t>(found[0].rm_eo);
  }
  regfree(&compiled);
  return made + text.substr(from);
}

std::string replaced_all(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Cut in the middle: both ends of a name identify it. No character of UTF-8 is cut.
std::string shortened_within(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  std::size_t tail = (length - 1) / 2, head = length - 1 - tail, from = text.size() - tail;
  while (head > 0 && (is_inside(head) || text[head - 1] == ' ')) --head;
  while (from < text.size() && (is_inside(from) || text[from] == ' ')) ++from;
  return text.substr(0, head) + "\u2026" + text.substr(from);
}

}  // namespace

std::string join_not_empty(std::vector<std::string> texts, std::string_view between) {
  std::erase(texts, "");
  return join(texts, between);
}

std::string grouped(double count) {
  std::string text = fmt::format("{:.0f}", count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (text[0] == '-' ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), "\u202f");
  return text;
}

std::string percent(double share) {
  return fmt::format("{:.{}f} %", 100.0 * share, std::abs(share) >= 0.0995 || share == 0.0 ? 0 : 1);
}

std::string plain_number(std::optional<double> value) {
  if (!value) return "\u2013";
  const double size = std::abs(*value);
  if (*value != 0.0 && !(size >= 1e-4 && size < 1e7)) return fmt::format("{:.3g}", *value);
  return size >= 1e4 && *value == std::round(*value) ? grouped(*value) : fmt::format("{:.10g}", *value);
}

std::string share_words(double share) { return share < 1.005 ? percent(share) : ">100 %"; }

std::string model_words(std::string model) {
  std::ranges::replace(model, '_', '-');
  return model;
}

std::string problem_words(const std::string& case_name) {
  const auto sides = sides_in(case_name, std::int64_t{1} << 53);
  if (sides.size() > 1) return replaced_all(case_name, "x", "\u00a0\u00d7\u00a0");
  if (sides.empty() || sides[0] < 100'000) return case_name;
  const auto count = static_cast<double>(sides[0]);
  return (count < 1e6 ? grouped(count) : fmt::format("{:.3g} M", 1e-6 * count)) + " elements";
}

std::string device_text(const std::string& device, std::size_t length) {
  std::string bare = pattern_replaced(device, "\\((R|TM|r|tm)\\)| (CPU|Processor)\\b| @ [0-9.]+ ?GHz", "");
  bare = pattern_replaced(bare, "^(pthread|cpu|basic)(-[a-z0-9_]+)*-([A-Z].*)", " (PoCL)", 3);
  return shortened_within(join(words_in(bare), " "), length);
}

std::string state_words(const Row& row) {
  if (row.status == RunStatus::ok) return row.is_checked() ? "right" : "not checked";
  if (row.status == RunStatus::wrong) return "WRONG";
  if (row.status == RunStatus::impossible) return "not available here";
  return row.status == RunStatus::skipped ? "not measured" : to_string(row.status);
}

std::string who_words(const Row& row) { return join_not_empty({model_words(row.key.model), row.variant, row.setting}); }

std::string rate_words(const Row& row) {
  if (!row.rate) return "-";
  const double rate = row.rate->median;
  return (rate < 1e4 ? significant(rate, 3) : grouped(rate)) + ' ' + row.rate_unit;
}

std::string variant_words(const Row& row) {
  std::string words = row.variant.empty() ? "default" : row.variant;
  for (const std::string& more : {row.setting, row.part})
    if (!more.empty()) words += ' ' + more;
  return words;
}

std::string workers_words(const Row& row) {
  if (row.ranks <= 1 && row.threads == 0) return "-";
  if (!row.record && row.threads == 0) return counted(row.ranks, "rank");
  return fmt::format("{}x{}", std::max(1, row.ranks), row.threads > 0 ? std::to_string(row.threads) : "-");
}

std::string program_words(const Row& row) {
  const std::string workers = workers_words(row);
  return fmt::format("{} {}{}", row.key.model, variant_words(row), workers == "-" ? "" : ' ' + workers);
}

std::string device_of(const Row& row) {
  return row.record->device_type == "cpu" ? row.record->provenance.cpu : row.device;
}

std::string status_words(const Row& row) {
  const std::string round = row.worst_round > 1 ? fmt::format(" (round {})", row.worst_round) : "";
  return fmt::format("{} {}: {}{}: {}", row.key.model, variant_words(row), to_string(row.status), round, row.reason);
}

std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value) {
  ByName<std::vector<std::string>> models;
  for (const auto& [model, value] : model_and_value) add_once(models[value], model);
  if (models.size() == 1) return models.begin()->first;
  return joined(models, "; ",
                [](const auto& one) { return fmt::format("{} ({})", one.first, join(one.second, ", ")); });
}

std::string reason_words(const Row& row) {
  std::string reason = row.reason.empty() ? to_string(row.status) : row.reason;
  const std::string own = row.variant + ": ";
  if (!row.variant.empty() && reason.starts_with(own)) reason.erase(0, own.size());
  if (row.status == RunStatus::impossible) reason = reason.substr(0, reason.find(';'));
  reason = row.device.empty() ? pattern_replaced(reason, "\\b(pthread|cpu|basic)-[a-zA-Z0-9_-]*-([A-Z])", "", 2)
                              : replaced_all(reason, row.device, device_text(row.device));
  return pattern_replaced(reason, "\\b[0-9]+(x[0-9]+)+ cells", "this many cells");
}

}  // namespace boltzmark
