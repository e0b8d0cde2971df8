// Operations that can bound a program before bytes and FLOPs do, by the names that records and peaks have.
#pragma once

#include <map>
#include <string>

namespace boltzmark {

/// Numbers of them: of an update, or a second.
using Operations = std::map<std::string, double>;

namespace operation {
inline constexpr const char* multiply_add = "multiply-add";  ///< FLOPs: fused, or multiplications and additions
inline constexpr const char* division = "division";
inline constexpr const char* root = "root";                                ///< 1 / sqrt(x)^3: attraction of two bodies
inline constexpr const char* wide_multiplication = "wide-multiplication";  ///< 32 x 32 bits, both halves of the product
inline constexpr const char* tensor = "tensor";  ///< FLOPs by tensor cores, in the formats that they multiply
}  // namespace operation

}  // namespace boltzmark
