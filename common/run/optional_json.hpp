// JSON's null as an empty optional, which nlohmann/json has from version 3.12 on.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

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
