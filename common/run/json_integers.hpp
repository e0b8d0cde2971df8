// Integers of JSON files, before they become integers of C++.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace boltzmark {

/// Whether this is an integer, and one that the type holds: the conversion of any other number is undefined.
template <class Integer>
bool holds(const nlohmann::json& value) {
  using Limits = std::numeric_limits<Integer>;
  if (value.is_number_unsigned()) return std::cmp_less_equal(value.get<std::uint64_t>(), Limits::max());
  if (!value.is_number_integer()) return false;
  const auto number = value.get<std::int64_t>();
  return std::cmp_greater_equal(number, Limits::min()) && std::cmp_less_equal(number, Limits::max());
}

/// Throws std::out_of_range unless there are ints at all these places ("/work/steps").
inline void expect_ints(const nlohmann::json& from, std::initializer_list<const char*> places) {
  for (const char* const place : places)
    if (const auto& value = from.at(nlohmann::json::json_pointer(place)); !holds<int>(value))
      throw std::out_of_range(fmt::format("{}: expected an integer, found {:.60}", place + 1, value.dump()));
}

}  // namespace boltzmark
