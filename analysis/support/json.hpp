// JSON files read strictly: what is missing, of the wrong type or unknown is one line with file, place, expected,
// found.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace boltzmark {

namespace fs = std::filesystem;

/// Parses a JSON text. Throws std::exception, also where it nests deeper than any valid file, or where an object
/// has a key twice.
nlohmann::json parse_json(const std::string& text);

/// A JSON value on one line; bytes that are not UTF-8 are replaced.
std::string json_line(const nlohmann::json& value);

/// Parses a JSON file. Throws Error (bad_input) with file, line and column.
nlohmann::json load_json(const fs::path& file);

/// Throws Error (bad_input): "FILE: WHERE: expected EXPECTED, found FOUND".
[[noreturn]] void fail_in_json(const std::string& file, const std::string& where, const std::string& expected,
                               const std::string& found);

/// Throws as above unless the value has the form of the example: the same keys, values of the same types, lists of what
/// the example's list begins with. Integers are at least 0; null means a number that may be null or absent. Keys in
/// `optional` may be absent.
void expect_like(const nlohmann::json& value, const nlohmann::json& example, const std::string& file,
                 const std::set<std::string>& optional = {}, const std::string& where = "");

/// What a value must be, and that in words.
template <class T>
struct Rule {
  bool (*fits)(const nlohmann::json&);
  const char* expected;
  bool may_be_null = false;  ///< null then is as good as nothing
};
namespace rule {
extern const Rule<std::string> text, any_text;  ///< a string that is not empty; one that may be
extern const Rule<int> count;                   ///< an integer of at least 1
extern const Rule<double> number, seconds;      ///< a number; one above zero
extern const Rule<bool> flag;
extern const Rule<nlohmann::json> object, list;
}  // namespace rule

/// One object of a JSON file whose values are restricted further. Each getter records its key; finish() then rejects
/// the others. Every violation is an Error (bad_input) like "plan.json: runs[2].threads: expected an integer of at
/// least 1, found "two"". The JSON value must outlive the reader.
class ObjectReader {
 public:
  /// `where` is the object's place in the file ("runs[2]"), "" for the whole file.
  ObjectReader(const nlohmann::json& value, std::string file, std::string where);

  /// The value of a key, which must be there.
  template <class T>
  T get(const std::string& key, const Rule<T>& rule) {
    const nlohmann::json* const value = find(key);
    if (!value) fail(key, std::is_same_v<T, std::string> ? "a string" : rule.expected, "nothing");
    return as(*value, key, rule);
  }
  template <class T>
  T get(const std::string& key, const Rule<T>& rule, const std::type_identity_t<T>& otherwise) {
    return maybe(key, rule).value_or(otherwise);
  }
  /// None where the key is not there.
  template <class T>
  std::optional<T> maybe(const std::string& key, const Rule<T>& rule) {
    const nlohmann::json* const value = find(key);
    if (!value || (rule.may_be_null && value->is_null())) return {};
    return as(*value, key, rule);
  }
  /// Takes the value of a key where it is there, by the rule of its type; else leaves what there is.
  template <class T>
  ObjectReader& operator()(const std::string& key, T& value) {
    if constexpr (std::is_same_v<T, std::vector<std::string>>)
      value = texts(key);
    else if constexpr (std::is_same_v<T, std::string>)
      value = get(key, rule::text, value);
    else if constexpr (std::is_same_v<T, bool>)
      value = get(key, rule::flag, value);
    else if constexpr (std::is_same_v<T, double>)
      value = get(key, rule::number, value);
    else if (const std::optional<int> number = maybe(key, rule::count))
      value = *number;
    return *this;
  }
  /// Of one value or a list of them, which is not empty; none when not there.
  template <class T>
  std::vector<T> some(const std::string& key, const Rule<T>& rule) {
    std::vector<T> values;
    for (const auto& [value, place] : some(key)) values.push_back(as(*value, place, rule));
    return values;
  }
  std::vector<std::string> texts(const std::string& key);     ///< a list; empty when not there
  ObjectReader object(const std::string& key);                ///< must be there
  std::vector<ObjectReader> objects(const std::string& key);  ///< empty when not there
  /// All keys and values that the object has.
  auto items() const { return value_->items(); }
  /// A value of a command line's option or a list of them: text or number, true as "" (a flag), false as none.
  std::vector<std::optional<std::string>> option_values(const std::string& key);
  bool has(const std::string& key) { return find(key) != nullptr; }
  bool is_object(const std::string& key) { return has(key) && find(key)->is_object(); }
  void finish() const;

  /// The place of a key, with its file: what a message begins with.
  std::string place(const std::string& key) const { return file_ + ": " + place_of(key); }
  /// Throws the error for one key of this object.
  [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& found) const;

 private:
  const nlohmann::json* find(const std::string& key);
  /// The value or the elements of the list that it is, each with its place.
  std::vector<std::pair<const nlohmann::json*, std::string>> some(const std::string& key);
  template <class T>
  T as(const nlohmann::json& value, const std::string& key, const Rule<T>& rule) const {
    if (!rule.fits(value)) fail(key, rule.expected, shown(value));
    return value.get<T>();
  }
  static std::string shown(const nlohmann::json& value);
  std::string place_of(const std::string& key) const { return where_.empty() ? key : where_ + '.' + key; }

  const nlohmann::json* value_;
  std::string file_, where_;
  std::set<std::string> known_;
};

}  // namespace boltzmark
