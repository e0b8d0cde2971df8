// Variants for every vector length that this build has registers for, chosen when the program runs.
#pragma once

#include <memory>

#include "common/base/error.hpp"
#include "common/cpu/simd.hpp"
#include "common/run/program.hpp"

namespace boltzmark {

/// make.operator()<T, vvl>() for vectors of --vvl values, or the widest. Throws Error (bad_input) for a length that
/// does not exist.
template <class T, int vvl = native_lanes<T>, class Make>
auto of_vvl(const Options& asked, const Make& make) {
  constexpr int least = 16 / sizeof(T);
  const auto wanted = asked.number("vvl");
  if (!wanted || *wanted == vvl) return make.template operator()<T, vvl>();
  if constexpr (vvl > least)
    return of_vvl<T, vvl / 2>(asked, make);
  else
    throw bad_input("--vvl: expected a power of two from {} to {} for this precision and processor, found {}", least,
                    native_lanes<T>, *wanted);
}
/// The same with the T of the precision.
template <class Make>
auto of_type_and_vvl(const Options& asked, const Make& make) {
  return asked.precision == Precision::f64 ? of_vvl<double>(asked, make) : of_vvl<float>(asked, make);
}

/// `.make` of a variant that is a class template over its element type and vector length, constructed from the options
/// if it takes them.
template <class Made, template <class T, int vvl> class Class>
std::unique_ptr<Made> made_of_vvl(const Options& asked) {
  return of_type_and_vvl(asked, [&]<class T, int vvl>() { return made_of<Made, Class<T, vvl>>(asked); });
}

/// Like those of program.hpp, with --vvl.
template <class Made, template <class T, int vvl> class Class>
Variant like_for_like_of(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .role = Role::like_for_like,
          .options = {vector_length_option()},
          .make = made_of_vvl<Made, Class>};
}

}  // namespace boltzmark
