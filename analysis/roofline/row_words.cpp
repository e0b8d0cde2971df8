#include "analysis/roofline/row_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/text.hpp"

namespace boltzmark {

std::string case_words(const Row& row) {
  std::string words = fmt::format("{} {}", row.key.workload, row.case_name);
  if (row.record) {
    const std::string extent = fmt::format("{}", fmt::join(row.record->case_.extent, " x "));
    const std::string short_extent = fmt::format("{}", fmt::join(row.record->case_.extent, "x"));
    if (row.case_name.find(short_extent) == row.case_name.npos) words += fmt::format(" ({})", extent);
  }
  if (row.steps() > 1) words += fmt::format(", {}", counted(row.steps(), "step"));
  return fmt::format("{}, {}", words, row.key.precision);
}

std::string variant_words(const Row& row) {
  std::string words = row.variant.empty() ? "default" : row.variant;
  for (const std::string& more : {row.setting, row.part})
    if (!more.empty()) words += ' ' + more;
  return words;
}

std::string workers_words(const Row& row) {
  if (row.ranks <= 1 && row.threads == 0) return "-";
  return fmt::format("{}x{}", std::max(1, row.ranks), row.threads > 0 ? std::to_string(row.threads) : "-");
}

std::string status_words(const Row& row) {
  const std::string round = row.worst_round > 1 ? fmt::format(" (round {})", row.worst_round) : "";
  return fmt::format("{} {}: {}{}: {}", row.key.model, variant_words(row), to_string(row.status), round,
                     row.reason);
}

std::string plain_device(std::string name) {
  for (const char* noise : {"(R)", "(TM)", "(tm)", "(r)", " CPU", " Processor"})
    for (std::size_t at = 0; (at = name.find(noise)) != name.npos;) name.erase(at, std::string(noise).size());
  return name;
}

std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value) {
  std::vector<std::string> values;
  std::map<std::string, std::vector<std::string>> models;
  for (const auto& [model, value] : model_and_value) {
    if (!contains(values, value)) values.push_back(value);
    if (!contains(models[value], model)) models[value].push_back(model);
  }
  if (values.size() == 1) return values.front();
  std::vector<std::string> parts;
  for (const auto& value : values) parts.push_back(fmt::format("{} ({})", value, join(models[value], ", ")));
  return join(parts, "; ");
}

}  // namespace boltzmark
