#include "common/run/settings.hpp"

#include <utility>

namespace boltzmark {

Setting::Setting() = default;
Setting::Setting(bool truth) : value(truth) {}
Setting::Setting(Number number) {
  std::visit([this](auto one) { value = one; }, number);
}
Setting::Setting(const char* text) : value(std::string(text)) {}
Setting::Setting(std::string text) : value(std::move(text)) {}
Setting::Setting(std::vector<std::string> texts) : value(std::move(texts)) {}
Setting::Setting(Numbers numbers) : value(std::move(numbers)) {}
Setting::Setting(const Setting&) = default;
Setting::Setting(Setting&&) noexcept = default;
Setting& Setting::operator=(const Setting&) = default;
Setting& Setting::operator=(Setting&&) noexcept = default;
Setting::~Setting() = default;

Settings::Settings() = default;
Settings::Settings(std::initializer_list<value_type> all) : map(all) {}
Settings::Settings(const Settings&) = default;
Settings::Settings(Settings&&) noexcept = default;
Settings& Settings::operator=(const Settings&) = default;
Settings& Settings::operator=(Settings&&) noexcept = default;
Settings::~Settings() = default;
Setting& Settings::operator[](const std::string& name) { return map::operator[](name); }
void Settings::update(const Settings& others) {
  for (const auto& [name, setting] : others) (*this)[name] = setting;
}

}  // namespace boltzmark
