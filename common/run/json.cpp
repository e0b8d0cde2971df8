#include "common/run/json.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace boltzmark {

std::string json_line(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : json_line(value);
}

void expect_ints(const nlohmann::json& from, std::initializer_list<const char*> places) {
  for (const char* const place : places)
    if (const auto& value = from.at(nlohmann::json::json_pointer(place)); !holds<int>(value))
      throw std::out_of_range(fmt::format("{}: expected an integer, found {:.60}", place + 1, json_line(value)));
}

}  // namespace boltzmark
