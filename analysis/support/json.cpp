#include "analysis/support/json.hpp"

#include <fstream>
#include <iterator>

#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

constexpr std::size_t shown_characters = 60;
constexpr int most_levels = 100;  // reading and writing recurse for each

/// A value as in the file, shortened to fit the line.
std::string shown(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > shown_characters ? text.substr(0, shown_characters) + "..." : text;
}

}  // namespace

const Form form::any_text = {"a string", &json::is_string};
const Form form::text = {"a string that is not empty", [](const json& value) {
                           return value.is_string() && !value.get_ref<const std::string&>().empty();
                         }};
const Form form::count = {"an integer of at least 1",
                          [](const json& value) { return holds<int>(value) && value.get<int>() >= 1; }};
const Form form::flag = {"true or false", &json::is_boolean};
const Form form::object = {"an object", &json::is_object};

bool is_above(const json& value, double least) { return value.is_number() && value.get<double>() > least; }

void fail_in_json(const std::string& file, const std::string& where, const std::string& expected,
                  const std::string& found) {
  if (where.empty()) throw bad_input("{}: expected {}, found {}", file, expected, found);
  throw bad_input("{}: {}: expected {}, found {}", file, where, expected, found);
}

std::optional<double> number_in(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::string text_in(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
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

std::string plain_words(const std::exception& fault) {
  const std::string message = fault.what();
  if (const auto* const syntax = dynamic_cast<const json::parse_error*>(&fault))
    return fmt::format("no JSON from character {} on", syntax->byte);
  // "[json.exception.type_error.302] type must be number, but is null"
  const auto end = message.find("] ");
  return message.starts_with("[json.exception.") && end != message.npos ? message.substr(end + 2) : message;
}

json without_controls(json value) {
  if (value.is_string()) return one_line(value.get<std::string>());
  if (!value.is_structured()) return value;
  json clean = value.is_object() ? json::object() : json::array();
  for (auto& [key, one] : value.items())
    if (value.is_object())
      clean[one_line(key)] = without_controls(std::move(one));
    else
      clean.push_back(without_controls(std::move(one)));
  return clean;
}

json load_json(const fs::path& file) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const std::string text = read_regular(file, "a JSON file", most_bytes);
  try {
    return parse_json(text);
  } catch (const json::parse_error& fault) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(fault.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto column = std::distance(std::find(std::reverse_iterator(end), text.rend(), '\n').base(), end);
    // "[json.exception.parse_error.101] parse error at line 3, column 5: what is wrong"
    const std::string message = fault.what();
    if (fault.byte > text.size())
      throw bad_input("{}:{}:{}: expected JSON, found the end of the file: {}", file.string(), line, column,
                      text.empty() ? "it is empty" : "it is cut off");
    const auto colon = message.find(": ");
    throw bad_input("{}:{}:{}: expected JSON, found a fault: {}", file.string(), line, column,
                    colon == message.npos ? message : message.substr(colon + 2));
  } catch (const std::exception& fault) {  // such as a number that no double holds
    throw bad_input("{}: expected JSON, found a fault: {}", file.string(), fault.what());
  }
}

Form Form::with(const Keys& more) const {
  Form whole = *this;
  for (const auto& [names, of_each] : more)
    for (const std::string& name : words_in(names)) whole.keys.insert_or_assign(name, of_each);
  return whole;
}

Form form::above_zero(const std::string& expected) {
  return {expected, [](const json& value) { return is_above(value, 0.0); }};
}
Form form::object_of(const Form& values) { return {"an object", &json::is_object, {}, {values}}; }
Form form::list(const Form& elements) {
  const bool of_objects = elements.expected == "an object";
  return {of_objects ? "a list of objects" : "a list of strings", &json::is_array, {}, {elements}};
}
Form form::some(Form value) {
  value.parts = {value};
  value.may_be_list = true;
  return value;
}
Form form::required(Form value) {
  value.is_required = true;
  return value;
}

Form form::like(const json& example, const std::set<std::string>& optional) {
  if (example.is_array()) return list(example.empty() ? any_text : like(example[0], optional));
  if (example.is_null())
    return {"a number or null", [](const json& value) { return value.is_null() || value.is_number(); }};
  if (example.is_number_integer())
    return {"an integer of at least 0",
            [](const json& value) { return value.is_number_integer() && is_above(value, -1.0); }};
  if (example.is_number()) return {"a number", &json::is_number};
  if (!example.is_object()) return example.is_boolean() ? flag : any_text;
  Form made = object;
  for (const auto& [key, value] : example.items()) {
    Form& of_key = made.keys[key] = like(value, optional);
    of_key.is_required = !value.is_null() && !optional.contains(key);
  }
  return made;
}

void expect_form(const json& value, const Form& form, const std::string& file, const std::string& where) {
  const bool is_list = form.may_be_list && value.is_array();
  if (is_list && value.empty()) fail_in_json(file, where, "a value or a list of some", "an empty list");
  if (!is_list && !form.fits(value)) fail_in_json(file, where, form.expected, shown(value));
  if (value.is_array() && !form.parts.empty())
    for (std::size_t i = 0; i < value.size(); ++i)
      expect_form(value[i], form.parts[0], file, fmt::format("{}[{}]", where, i));
  if (!value.is_object()) return;
  const auto place_of = [&](const std::string& key) { return where.empty() ? key : where + '.' + key; };
  std::vector<std::string> names;
  for (const auto& [key, of_key] : form.keys) {
    names.push_back(key);
    if (of_key.is_required && !value.contains(key)) fail_in_json(file, place_of(key), of_key.expected, "nothing");
  }
  for (const auto& [key, of_key] : value.items())
    if (form.keys.contains(key))
      expect_form(of_key, form.keys.at(key), file, place_of(key));
    else if (!form.parts.empty())
      expect_form(of_key, form.parts[0], file, place_of(key));
    else if (!names.empty())
      fail_in_json(file, where, "only the keys " + join(names, ", "), '"' + key + '"');
}

}  // namespace boltzmark
