// Named values of a model for the record and for --describe: "work_group": "32x4".
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace boltzmark {

/// A value of Settings: a truth, a number, a text, several texts, or numbers by name.
struct Setting {
  using Numbers = std::map<std::string, double>;

  Setting() = default;
  Setting(bool truth) : value(truth) {}
  Setting(std::integral auto number) : value(static_cast<std::int64_t>(number)) {}
  Setting(std::floating_point auto number) : value(static_cast<double>(number)) {}
  Setting(const char* text) : value(std::string(text)) {}
  Setting(std::string text) : value(std::move(text)) {}
  Setting(std::vector<std::string> texts) : value(std::move(texts)) {}
  Setting(Numbers numbers) : value(std::move(numbers)) {}

  std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, Numbers> value;
};

/// An object in JSON. Not nlohmann::json here: it adds a second to every translation unit.
class Settings : public std::map<std::string, Setting> {
 public:
  using map::map;
  /// Adds `others`, replacing values of the same names.
  void update(const Settings& others) {
    for (const auto& [name, setting] : others) (*this)[name] = setting;
  }
};

}  // namespace boltzmark
