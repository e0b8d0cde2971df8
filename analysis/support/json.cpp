#include "analysis/support/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr std::size_t shown_characters = 60;
constexpr int most_levels = 100;  // reading and writing recurse for each

/// A value as in the file, cut to fit the line.
std::string shown(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > shown_characters ? text.substr(0, shown_characters) + "..." : text;
}

/// Whether a value is of the example's type, and what that is in words.
std::pair<bool, const char*> likeness(const json& value, const json& example) {
  if (example.is_array())
    return {value.is_array(), !example.empty() && example[0].is_object() ? "a list of objects" : "a list of strings"};
  if (example.is_object()) return {value.is_object(), "an object"};
  if (example.is_null()) return {value.is_null() || value.is_number(), "a number or null"};
  if (example.is_number_integer()) return {value.is_number_integer() && value >= 0, "an integer of at least 0"};
  if (example.is_number()) return {value.is_number(), "a number"};
  if (example.is_boolean()) return {value.is_boolean(), "true or false"};
  return {value.is_string(), "a string"};
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

std::string json_line(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json load_json(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) fail_in_json(file.string(), "", "a JSON file", "a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) fail_in_json(file.string(), "", "a JSON file", "none that can be read");
  constexpr std::size_t most_bytes = std::size_t{64} << 20;  // a device such as /dev/zero has no end
  std::string text;
  for (char piece[1 << 16]; in.read(piece, sizeof piece), in.gcount() > 0;) {
    text.append(piece, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes) fail_in_json(file.string(), "", "a JSON file of at most 64 MiB", "more");
  }
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

void expect_like(const json& value, const json& example, const std::string& file, const std::set<std::string>& optional,
                 const std::string& where) {
  const auto [is_right, expected] = likeness(value, example);
  if (!is_right) fail_in_json(file, where, expected, shown(value));
  for (std::size_t i = 0; example.is_array() && !example.empty() && i < value.size(); ++i)
    expect_like(value[i], example[0], file, optional, fmt::format("{}[{}]", where, i));
  if (!example.is_object()) return;
  const auto place_of = [&](const std::string& key) { return where.empty() ? key : where + '.' + key; };
  std::vector<std::string> keys;
  for (const auto& [key, like] : example.items()) {
    keys.push_back(key);
    if (value.contains(key))
      expect_like(value[key], like, file, optional, place_of(key));
    else if (!like.is_null() && !optional.contains(key))
      fail_in_json(file, place_of(key), likeness(like, like).second, "nothing");
  }
  for (const auto& item : value.items())
    if (!example.contains(item.key()))
      fail_in_json(file, where, "only the keys " + join(keys, ", "), '"' + item.key() + '"');
}

const Rule<std::string> rule::any_text = {[](const json& value) { return value.is_string(); }, "a string"};
const Rule<std::string> rule::text = {[](const json& value) { return value.is_string() && value != ""; },
                                      "a string that is not empty"};
const Rule<int> rule::count = {
    [](const json& value) { return value.is_number_integer() && value >= 1 && value <= INT_MAX; },
    "an integer of at least 1"};
const Rule<double> rule::number = {[](const json& value) { return value.is_number(); }, "a number", true};
const Rule<double> rule::seconds = {[](const json& value) { return value.is_number() && value > 0.0; },
                                    "a number of seconds above zero"};
const Rule<bool> rule::flag = {[](const json& value) { return value.is_boolean(); }, "true or false"};
const Rule<json> rule::object = {[](const json& value) { return value.is_object(); }, "an object"};
const Rule<json> rule::list = {[](const json& value) { return value.is_array(); }, "a list of strings"};

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

std::string ObjectReader::shown(const json& value) { return boltzmark::shown(value); }

std::vector<std::pair<const json*, std::string>> ObjectReader::some(const std::string& key) {
  const json* const value = find(key);
  if (!value) return {};
  if (!value->is_array()) return {{value, key}};
  if (value->empty()) fail(key, "a value or a list of some", "an empty list");
  std::vector<std::pair<const json*, std::string>> all;
  for (const json& element : *value) all.emplace_back(&element, fmt::format("{}[{}]", key, all.size()));
  return all;
}

std::vector<std::string> ObjectReader::texts(const std::string& key) {
  std::vector<std::string> texts;
  for (const json& text : get(key, rule::list, json::array()))
    texts.push_back(as(text, fmt::format("{}[{}]", key, texts.size()), rule::any_text));
  return texts;
}

ObjectReader ObjectReader::object(const std::string& key) {
  if (!has(key)) fail(key, "an object", "nothing");
  return {*find(key), file_, place_of(key)};
}

std::vector<ObjectReader> ObjectReader::objects(const std::string& key) {
  const json* const value = find(key);
  if (value && !value->is_array()) fail(key, "a list of objects", shown(*value));
  std::vector<ObjectReader> readers;
  for (std::size_t i = 0; value && i < value->size(); ++i)
    readers.emplace_back((*value)[i], file_, fmt::format("{}[{}]", place_of(key), i));
  return readers;
}

std::vector<std::optional<std::string>> ObjectReader::option_values(const std::string& key) {
  std::vector<std::optional<std::string>> values;
  for (const auto& [value, place] : some(key))
    if (value->is_boolean())
      values.push_back(value->get<bool>() ? std::optional(std::string()) : std::nullopt);
    else
      values.push_back(value->is_number() ? value->dump() : as(*value, place, rule::text));
  return values;
}

void ObjectReader::finish() const {
  for (const auto& item : value_->items())
    if (!known_.contains(item.key()))
      fail_in_json(file_, where_, "only the keys " + join({known_.begin(), known_.end()}, ", "),
                   '"' + item.key() + '"');
}

}  // namespace boltzmark
