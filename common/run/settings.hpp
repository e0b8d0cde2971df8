// Named values of a model for the record and for --describe: "work_group": "32x4".
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace boltzmark {

/// A value of Settings: a boolean, a number, a text, several texts, or numbers by name.
struct Setting {
  using Numbers = std::map<std::string, double>;

  Setting();
  Setting(bool truth);
  Setting(std::integral auto number) : Setting(Number{static_cast<std::int64_t>(number)}) {}
  Setting(std::floating_point auto number) : Setting(Number{static_cast<double>(number)}) {}
  Setting(const char* text);
  Setting(std::string text);
  Setting(std::vector<std::string> texts);
  Setting(Numbers numbers);
  Setting(const Setting&);
  Setting(Setting&&) noexcept;
  Setting& operator=(const Setting&);
  Setting& operator=(Setting&&) noexcept;
  ~Setting();

  std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, Numbers> value;

 private:
  using Number = std::variant<std::int64_t, double>;
  explicit Setting(Number number);
};

/// An object in JSON. Not nlohmann::json, which adds a second to every translation unit; copies of map and variant are
/// compiled once, too (settings.cpp).
class Settings : public std::map<std::string, Setting> {
 public:
  Settings();
  Settings(std::initializer_list<value_type> all);
  Settings(const Settings&);
  Settings(Settings&&) noexcept;
  Settings& operator=(const Settings&);
  Settings& operator=(Settings&&) noexcept;
  ~Settings();
  Setting& operator[](const std::string& name);
  /// Adds `others`, replacing values of the same names.
  void update(const Settings& others);
};

}  // namespace boltzmark
