// Names of operations in records and peaks, apart from the records: the loops that measure them read no more.
#pragma once

/// Operations that can bound a program before bytes and FLOPs do.
namespace boltzmark::operation {
inline constexpr const char* multiply_add = "multiply-add";  ///< FLOPs: fused, or multiplications and additions
inline constexpr const char* division = "division";
inline constexpr const char* root = "root";                                ///< 1 / sqrt(x)^3: attraction of two bodies
inline constexpr const char* wide_multiplication = "wide-multiplication";  ///< 32 x 32 bits, both halves of the product
inline constexpr const char* tensor = "tensor";  ///< FLOPs of tensor cores, in the format of their products
}  // namespace boltzmark::operation
