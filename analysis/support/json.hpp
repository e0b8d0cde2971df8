// JSON files read strictly: missing, mistyped and unknown values are faults, with file, place, expected, found.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "common/run/json.hpp"

namespace boltzmark {

namespace fs = std::filesystem;
using nlohmann::json;

/// Throws std::exception, also if the text nests deeper than any valid file, or if an object has a key twice.
nlohmann::json parse_json(const std::string& text);

/// The message of an exception, without the prefix of the JSON library.
std::string plain_words(const std::exception& fault);

/// A value whose texts and keys have no control characters, for display on a terminal.
nlohmann::json without_controls(nlohmann::json value);

/// Parses a regular file. Throws Error (bad_input) with file, line and column.
nlohmann::json load_json(const fs::path& file);

/// Whether it is a number greater than this one. The library's comparison adds a third of a second to the compilation.
bool is_above(const nlohmann::json& value, double least);

/// The number, or the text, with this name in an object; none, or "", if there is no such.
std::optional<double> number_in(const nlohmann::json& object, const char* name);
std::string text_in(const nlohmann::json& object, const char* name);

/// Throws Error (bad_input): "FILE: WHERE: expected EXPECTED, found FOUND".
[[noreturn]] void fail_in_json(const std::string& file, const std::string& where, const std::string& expected,
                               const std::string& found);

/// The form that a JSON value must have.
struct Form {
  /// Keys separated by blanks, and the form of their values.
  using Keys = std::vector<std::pair<std::string, Form>>;
  /// An object's form, extended by these keys.
  Form with(const Keys& more) const;

  std::string expected;  ///< in words: "an integer of at least 1"
  std::function<bool(const nlohmann::json&)> fits;
  std::map<std::string, Form> keys = {};  ///< of an object, which may have no others
  std::vector<Form> parts = {};           ///< the form of all elements of a list, or of all values of an object
  bool may_be_list = false;               ///< a value, or a list of some
  bool is_required = false;               ///< as the value of a key
};

namespace form {
extern const Form any_text, text, count, flag, object;  ///< text: not empty; count: at least 1
Form above_zero(const std::string& expected);
Form object_of(const Form& values);
Form list(const Form& elements);
Form some(Form value);
Form required(Form value);
/// The keys and types of the example, whose first element stands for all of a list. Integers are at least 0; null means
/// a number that may be null or absent. Keys in `optional` may be absent.
Form like(const nlohmann::json& example, const std::set<std::string>& optional = {});
}  // namespace form

/// Throws Error (bad_input) like "plan.json: runs[2].threads: expected an integer of at least 1, found "two"" unless
/// the value has the form. `where`: its place in the file, "" for the whole.
void expect_form(const nlohmann::json& value, const Form& form, const std::string& file, const std::string& where = "");

}  // namespace boltzmark
