// That a type's fields are in JSON, for headers of types: the library itself, a second of a source's compile time, is
// read where it is used.
#pragma once

#include <nlohmann/json_fwd.hpp>

/// Stands beside the type; BOLTZMARK_JSON_FIELDS (json.hpp) in one source. Defined in the header, as by the library,
/// every source that includes it would compile them, for seconds.
#define BOLTZMARK_JSON(Type)                          \
  void to_json(nlohmann::json& to, const Type& from); \
  void from_json(const nlohmann::json& from, Type& to);
