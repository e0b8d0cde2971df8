// The two precisions of all computations.
#pragma once

#include <string>

namespace boltzmark {

enum class Precision { f32, f64 };
inline std::string to_string(Precision precision) { return precision == Precision::f32 ? "f32" : "f64"; }
/// Bytes of a value.
constexpr int bytes_of(Precision precision) { return precision == Precision::f32 ? 4 : 8; }

}  // namespace boltzmark
