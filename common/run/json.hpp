// JSON where the library leaves a gap: integers that a type holds, and null as an empty optional.
#pragma once

#include <fmt/core.h>

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
