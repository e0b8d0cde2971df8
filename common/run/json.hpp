// JSON where the library leaves a gap: integers that a type holds, and null as an empty optional.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

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

// A struct of these fields as JSON: as by the library's macros, but templates, which are compiled where they are used
// and not wherever the header is.
#define BOLTZMARK_TO_JSON(Type, ...)                                         \
  template <std::same_as<nlohmann::json> Json>                               \
  void to_json(Json& nlohmann_json_j, const Type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__)) \
  }
#define BOLTZMARK_JSON(Type, ...)                                              \
  BOLTZMARK_TO_JSON(Type, __VA_ARGS__)                                         \
  template <std::same_as<nlohmann::json> Json>                                 \
  void from_json(const Json& nlohmann_json_j, Type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }
/// A field that is missing is as in a new object.
#define BOLTZMARK_JSON_WITH_DEFAULT(Type, ...)                                              \
  BOLTZMARK_TO_JSON(Type, __VA_ARGS__)                                                      \
  template <std::same_as<nlohmann::json> Json>                                              \
  void from_json(const Json& nlohmann_json_j, Type& nlohmann_json_t) {                      \
    const Type nlohmann_json_default_obj{};                                                 \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM_WITH_DEFAULT, __VA_ARGS__)) \
  }

namespace boltzmark {

/// Whether this is an integer, and one that the type holds: the conversion of any other number is undefined.
template <class Integer>
bool holds(const nlohmann::json& value) {
  using Bounds = std::numeric_limits<Integer>;
  if (value.is_number_unsigned()) return std::cmp_less_equal(value.get<std::uint64_t>(), Bounds::max());
  if (!value.is_number_integer()) return false;
  const auto number = value.get<std::int64_t>();
  return std::cmp_greater_equal(number, Bounds::min()) && std::cmp_less_equal(number, Bounds::max());
}

/// Throws std::out_of_range unless there are ints at all these places ("/work/steps").
inline void expect_ints(const nlohmann::json& from, std::initializer_list<const char*> places) {
  for (const char* const place : places)
    if (const auto& value = from.at(nlohmann::json::json_pointer(place)); !holds<int>(value))
      throw std::out_of_range(fmt::format("{}: expected an integer, found {:.60}", place + 1, value.dump()));
}

}  // namespace boltzmark
