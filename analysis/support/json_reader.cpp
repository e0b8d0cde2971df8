#include "analysis/support/json_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr std::size_t shown_characters = 60;
constexpr int most_levels = 100;  // what writes or reads a value calls itself for each

/// A value as it stands in the file, cut to fit the line.
std::string shown(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > shown_characters ? text.substr(0, shown_characters) + "..." : text;
}

}  // namespace

void fail_in_json(const std::string& file, const std::string& where, const std::string& expected,
                  const std::string& found) {
  if (where.empty()) throw bad_input("{}: expected {}, found {}", file, expected, found);
  throw bad_input("{}: {}: expected {}, found {}", file, where, expected, found);
}

json parse_json(const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  return json::parse(text, [&keys](int depth, json::parse_event_t event, const json& value) {
    if (depth > most_levels) throw std::runtime_error(fmt::format("more than {} levels", most_levels));
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      throw std::runtime_error(fmt::format("the key {} twice in one object", shown(value)));
    return true;
  });
}

std::string json_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json load_json(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) fail_in_json(file.string(), "", "a JSON file", "a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) fail_in_json(file.string(), "", "a JSON file", "none that can be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    return parse_json(text);
  } catch (const json::parse_error& fault) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(fault.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto column = std::distance(std::find(std::reverse_iterator(end), text.rend(), '\n').base(), end);
    // "[json.exception.parse_error.101] parse error at line 3, column 5: what is wrong"
    const std::string message = fault.what();
    const auto colon = message.find(": ");
    throw bad_input("{}:{}:{}: expected JSON, found a fault: {}", file.string(), line, column,
                    colon == message.npos ? message : message.substr(colon + 2));
  } catch (const std::exception& fault) {  // such as a number that no double holds
    throw bad_input("{}: expected JSON, found a fault: {}", file.string(), fault.what());
  }
}

std::optional<double> number_at(const json& value, const char* pointer) {
  const json::json_pointer place(pointer);
  if (!value.contains(place) || !value.at(place).is_number()) return {};
  return value.at(place).get<double>();
}

std::string text_at(const json& value, const char* pointer, const std::string& otherwise) {
  const json::json_pointer place(pointer);
  if (!value.contains(place) || !value.at(place).is_string()) return otherwise;
  return value.at(place).get<std::string>();
}

ObjectReader::ObjectReader(const json& value, std::string file, std::string where)
    : value_(&value), file_(std::move(file)), where_(std::move(where)) {
  if (!value.is_object()) fail_in_json(file_, where_, "an object", shown(value));
}

const json* ObjectReader::find(const std::string& key) {
  known_.insert(key);
  const auto at = value_->find(key);
  return at == value_->end() ? nullptr : &*at;
}

void ObjectReader::fail(const std::string& key, const std::string& expected, const std::string& found) const {
  fail_in_json(file_, place_of(key), expected, found);
}

std::string ObjectReader::text(const std::string& key) {
  if (!find(key)) fail(key, "a string", "nothing");
  return text(key, "");
}

std::string ObjectReader::text(const std::string& key, const std::string& otherwise) {
  const json* const value = find(key);
  return value ? text_of(*value, key) : otherwise;
}

std::string ObjectReader::text_of(const json& value, const std::string& key) const {
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    fail(key, "a string that is not empty", shown(value));
  return value.get<std::string>();
}

int ObjectReader::count_of(const json& value, const std::string& key) const {
  if (!value.is_number_integer() || value < 1 || value > INT_MAX)
    fail(key, "an integer of at least 1", shown(value));
  return value.get<int>();
}

std::optional<int> ObjectReader::count(const std::string& key) {
  const json* const value = find(key);
  return value ? std::optional(count_of(*value, key)) : std::nullopt;
}

std::vector<std::pair<const json*, std::string>> ObjectReader::some(const std::string& key) {
  const json* const value = find(key);
  if (!value) return {};
  if (!value->is_array()) return {{value, key}};
  if (value->empty()) fail(key, "a value or a list of some", "an empty list");
  std::vector<std::pair<const json*, std::string>> all;
  for (const json& element : *value) all.emplace_back(&element, fmt::format("{}[{}]", key, all.size()));
  return all;
}

std::vector<int> ObjectReader::some_counts(const std::string& key) {
  std::vector<int> counts;
  for (const auto& [value, place] : some(key)) counts.push_back(count_of(*value, place));
  return counts;
}

std::vector<std::string> ObjectReader::some_texts(const std::string& key) {
  std::vector<std::string> texts;
  for (const auto& [value, place] : some(key)) texts.push_back(text_of(*value, place));
  return texts;
}

std::vector<std::string> ObjectReader::keys() const {
  std::vector<std::string> keys;
  for (const auto& item : value_->items()) keys.push_back(item.key());
  return keys;
}

std::vector<std::optional<std::string>> ObjectReader::option_values(const std::string& key) {
  std::vector<std::optional<std::string>> values;
  for (const auto& [value, place] : some(key))
    if (value->is_boolean())
      values.push_back(value->get<bool>() ? std::optional(std::string()) : std::nullopt);
    else
      values.push_back(value->is_number() ? value->dump() : text_of(*value, place));
  return values;
}

double ObjectReader::seconds(const std::string& key, double otherwise) {
  const json* const value = find(key);
  if (!value) return otherwise;
  if (!value->is_number() || !(value->get<double>() > 0.0))
    fail(key, "a number of seconds above zero", shown(*value));
  return value->get<double>();
}

bool ObjectReader::flag(const std::string& key, bool otherwise) {
  const json* const value = find(key);
  if (!value) return otherwise;
  if (!value->is_boolean()) fail(key, "true or false", shown(*value));
  return value->get<bool>();
}

const json& ObjectReader::need(const std::string& key, const std::string& expected) {
  const json* const value = find(key);
  if (!value) fail(key, expected, "nothing");
  return *value;
}

std::string ObjectReader::any_text(const std::string& key) {
  const json& value = need(key, "a string");
  if (!value.is_string()) fail(key, "a string", shown(value));
  return value.get<std::string>();
}

double ObjectReader::number(const std::string& key) {
  const json& value = need(key, "a number");
  if (!value.is_number()) fail(key, "a number", shown(value));
  return value.get<double>();
}

std::optional<double> ObjectReader::number_or_null(const std::string& key) {
  const json* const value = find(key);
  if (!value || value->is_null()) return {};
  return number(key);
}

std::int64_t ObjectReader::integer(const std::string& key) {
  const json& value = need(key, "an integer of at least 0");
  if (!value.is_number_integer() || value < 0) fail(key, "an integer of at least 0", shown(value));
  return value.get<std::int64_t>();
}

bool ObjectReader::truth(const std::string& key) {
  need(key, "true or false");
  return flag(key, false);
}

ObjectReader ObjectReader::object(const std::string& key) {
  return {need(key, "an object"), file_, place_of(key)};
}

std::vector<std::string> ObjectReader::texts(const std::string& key) {
  const json* const value = find(key);
  if (!value) return {};
  if (!value->is_array()) fail(key, "a list of strings", shown(*value));
  std::vector<std::string> texts;
  for (const json& element : *value) {
    if (!element.is_string()) fail(fmt::format("{}[{}]", key, texts.size()), "a string", shown(element));
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

std::vector<ObjectReader> ObjectReader::objects(const std::string& key) {
  const json* const value = find(key);
  if (!value) return {};
  if (!value->is_array()) fail(key, "a list of objects", shown(*value));
  std::vector<ObjectReader> readers;
  for (const json& element : *value)
    readers.emplace_back(element, file_, fmt::format("{}[{}]", place_of(key), readers.size()));
  return readers;
}

void ObjectReader::finish() const {
  for (const auto& item : value_->items()) {
    if (known_.contains(item.key())) continue;
    std::string keys;
    for (const auto& key : known_) keys += (keys.empty() ? "" : ", ") + key;
    fail_in_json(file_, where_, "only the keys " + keys, '"' + item.key() + '"');
  }
}

}  // namespace boltzmark
