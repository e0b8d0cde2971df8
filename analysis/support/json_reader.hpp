// JSON read strictly: what is missing, of the wrong type or unknown ends in one line that says where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boltzmark {

/// Parses a JSON text. Throws std::exception, also where it nests deeper than anything that is meant, or where an object
/// has a key twice.
nlohmann::json parse_json(const std::string& text);

/// A JSON value on one line; bytes that are not UTF-8 are replaced.
std::string json_line(const nlohmann::json& value);

/// Parses a JSON file. Throws Error (bad_input) with file, line and column.
nlohmann::json load_json(const std::filesystem::path& file);

/// Throws Error (bad_input): "FILE: WHERE: expected EXPECTED, found FOUND".
[[noreturn]] void fail_in_json(const std::string& file, const std::string& where, const std::string& expected,
                               const std::string& found);

/// A number of a JSON value by its pointer ("/problem/nx"), none where it is absent or no number.
std::optional<double> number_at(const nlohmann::json& value, const char* pointer);
/// A string in the same way, otherwise what is given.
std::string text_at(const nlohmann::json& value, const char* pointer, const std::string& otherwise = "");

/// One object of a JSON file. Each getter takes note of its key; finish() then complains about the others.
/// Everything that is not as asked for is an Error (bad_input) like "plan.json: runs[2].threads: expected an
/// integer of at least 1, found "two"". The JSON value must outlive the reader.
class ObjectReader {
 public:
  /// `where` is the object's place in the file ("runs[2]"), "" for the whole file.
  ObjectReader(const nlohmann::json& value, std::string file, std::string where);

  std::string text(const std::string& key);  ///< must be there
  std::string text(const std::string& key, const std::string& otherwise);
  std::optional<int> count(const std::string& key);          ///< an integer of at least 1
  std::vector<int> some_counts(const std::string& key);      ///< one or a list; empty when not there
  double seconds(const std::string& key, double otherwise);  ///< a number above zero
  bool flag(const std::string& key, bool otherwise);
  std::string any_text(const std::string& key);                  ///< must be there; may be empty
  double number(const std::string& key);                         ///< must be there, finite
  std::optional<double> number_or_null(const std::string& key);  ///< none when null or not there
  std::int64_t integer(const std::string& key);                  ///< must be there, at least 0
  bool truth(const std::string& key);                            ///< must be there
  ObjectReader object(const std::string& key);                   ///< must be there
  std::vector<std::string> texts(const std::string& key);        ///< empty when not there
  std::vector<std::string> some_texts(const std::string& key);   ///< one or a list; empty when not there
  std::vector<ObjectReader> objects(const std::string& key);     ///< empty when not there
  std::vector<std::string> keys() const;                         ///< all that the object has
  /// A value of a command line's option or a list of them: text or number, true as "" (a flag), false as none.
  std::vector<std::optional<std::string>> option_values(const std::string& key);
  bool has(const std::string& key) { return find(key) != nullptr; }
  void finish() const;

  /// The place of a key, with its file: what a message begins with.
  std::string place(const std::string& key) const { return file_ + ": " + place_of(key); }
  /// Throws the error for one key of this object.
  [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& found) const;

 private:
  const nlohmann::json* find(const std::string& key);
  /// The value or the elements of the list that it is, each with its place; no list may be empty.
  std::vector<std::pair<const nlohmann::json*, std::string>> some(const std::string& key);
  int count_of(const nlohmann::json& value, const std::string& key) const;
  std::string text_of(const nlohmann::json& value, const std::string& key) const;
  const nlohmann::json& need(const std::string& key, const std::string& expected);
  std::string place_of(const std::string& key) const { return where_.empty() ? key : where_ + '.' + key; }

  const nlohmann::json* value_;
  std::string file_, where_;
  std::set<std::string> known_;
};

}  // namespace boltzmark
