// Declares that a type's fields are in JSON, for headers of types: only sources that use it include the library itself,
// which takes a second to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

/// Put it next to the type, and BOLTZMARK_JSON_FIELDS (json.hpp) into one source. Defined in the header, as the library
/// does it, the conversions would cost every including source seconds to compile.
#define BOLTZMARK_JSON(Type)                          \
  void to_json(nlohmann::json& to, const Type& from); \
  void from_json(const nlohmann::json& from, Type& to);
