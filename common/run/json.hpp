// Additions to the JSON library: range checks of integers, and null as an empty optional.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/run/json_fields.hpp"

// From version 3.12 on the library has this.
#if NLOHMANN_JSON_VERSION_MAJOR == 3 && NLOHMANN_JSON_VERSION_MINOR < 12
namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& to, const std::optional<T>& from) { from ? to = *from : to = nullptr; }
  static void from_json(const json& from, std::optional<T>& to) {
    to = from.is_null() ? std::nullopt : std::optional<T>(from.get<T>());
  }
};

}  // namespace nlohmann
#endif

namespace boltzmark {

/// The fields of a type with BOLTZMARK_JSON, by the library's macros.
#define BOLTZMARK_JSON_FIELDS(Type, ...) BOLTZMARK_JSON_FIELDS_BY(Type, NLOHMANN_JSON_FROM, __VA_ARGS__)
/// Absent fields keep the values of a new object.
#define BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Type, ...) \
  BOLTZMARK_JSON_FIELDS_BY(Type, NLOHMANN_JSON_FROM_WITH_DEFAULT, __VA_ARGS__)
#define BOLTZMARK_JSON_FIELDS_BY(Type, from_field, ...)                          \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))     \
  }                                                                              \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    [[maybe_unused]] const Type nlohmann_json_default_obj{};                     \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(from_field, __VA_ARGS__))           \
  }

/// Names of files and devices need not be UTF-8: invalid bytes become U+FFFD.
std::string json_line(const nlohmann::json& value, int indent = -1);

/// The text of a string, or the JSON of anything else.
std::string plain_text(const nlohmann::json& value);

/// Whether this is an integer within the range of the type; the conversion of any other number is undefined.
template <class Integer>
bool holds(const nlohmann::json& value) {
  using Bounds = std::numeric_limits<Integer>;
  if (value.is_number_unsigned()) return std::cmp_less_equal(value.get<std::uint64_t>(), Bounds::max());
  if (!value.is_number_integer()) return false;
  const auto number = value.get<std::int64_t>();
  return std::cmp_greater_equal(number, Bounds::min()) && std::cmp_less_equal(number, Bounds::max());
}

/// Throws std::out_of_range unless there are ints at all these places ("/work/steps").
void expect_ints(const nlohmann::json& from, std::initializer_list<const char*> places);

}  // namespace boltzmark
