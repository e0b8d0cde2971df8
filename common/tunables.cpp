#include "common/tunables.hpp"

#include <algorithm>
#include <charconv>

#include "common/error.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

std::vector<std::string> texts_of(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

bool names(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

json tunables_of(const Backend& backend, const Variant& variant) {
  json list = json::array();
  const auto add = [&list](const char* option, const std::vector<std::string>& values) {
    list.push_back({{"option", option}, {"values", values}});
  };
  if (backend.takes_work_group && variant.takes_work_group) list.push_back({{"option", "work-group"}});
  if (variant.takes_vvl) add("vvl", {"1", "2", "4", "8", "16", "32"});
  if (variant.takes_time_block) add("time-block", texts_of(variant.time_blocks));
  for (const auto& option : backend.options) {
    const auto& values = option.choices.empty() ? option.worth_trying : option.choices;
    if (names(variant.options, option.name) && !values.empty()) add(option.name.c_str(), values);
  }
  return list;
}

int number_in(const std::string& name, const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || number < 1)
    throw bad_input("--{}: expected a number of at least 1, found \"{}\"", name, text);
  return number;
}

}  // namespace

json list_tunables(const Backend& backend, const Options& options) {
  json variants = json::array();
  for (const auto& variant : backend.variants) {
    if (!options.variant.empty() && options.variant != variant.name) continue;
    json precisions = json::array();
    for (const auto precision : variant.precisions) precisions.push_back(to_string(precision));
    variants.push_back(
        {{"name", variant.name}, {"precisions", precisions}, {"tunables", tunables_of(backend, variant)}});
  }
  return {{"model", backend.name},
          {"device", backend.device_limits ? backend.device_limits(options) : json()},
          {"variants", variants}};
}

void set_if_unset(Options& options, const Backend& backend, const std::string& name,
                  const std::string& text) {
  const auto is_own = [&name](const ModelOption& option) { return option.name == name; };
  if (name == "work-group") {
    if (!options.work_group) options.work_group = parse_work_group(text);
  } else if (name == "time-block") {
    if (!options.time_block) options.time_block = number_in(name, text);
  } else if (name == "vvl") {
    if (!options.vvl) options.vvl = number_in(name, text);
  } else if (std::any_of(backend.options.begin(), backend.options.end(), is_own)) {
    options.own.try_emplace(name, text);
  } else {
    throw bad_input("tuned options: expected one of this model's, found --{}; see --no-tuned", name);
  }
}

}  // namespace boltzmark
