// Variants for every length of vectors that this build has registers for, chosen when the program runs.
#pragma once

#include <memory>
#include <optional>

#include "common/base/error.hpp"
#include "common/base/precision.hpp"
#include "common/cpu/simd.hpp"

namespace boltzmark {

/// A Variant<T, lanes> made of `arguments`, of the widest vectors or of `asked` lanes. Throws Error (bad_input) for
/// lengths that there are not.
template <class Base, template <class, int> class Variant, class T, int lanes = native_lanes<T>,
          class... Arguments>
std::unique_ptr<Base> make_of_type(std::optional<int> asked, const Arguments&... arguments) {
  constexpr int least = 16 / sizeof(T);
  if (!asked || *asked == lanes) return std::make_unique<Variant<T, lanes>>(arguments...);
  if constexpr (lanes > least)
    return make_of_type<Base, Variant, T, lanes / 2>(asked, arguments...);
  else
    throw bad_input("--vvl: expected a power of two from {} to {} for this precision and processor, found {}",
                    least, native_lanes<T>, *asked);
}

template <class Base, template <class, int> class Variant, class... Arguments>
std::unique_ptr<Base> make_of_length(Precision precision, std::optional<int> asked,
                                     const Arguments&... arguments) {
  if (precision == Precision::f64) return make_of_type<Base, Variant, double>(asked, arguments...);
  return make_of_type<Base, Variant, float>(asked, arguments...);
}

/// A Variant of the wanted precision made of `arguments`.
template <class Base, template <class> class Variant, class... Arguments>
std::unique_ptr<Base> make_of_precision(Precision precision, const Arguments&... arguments) {
  if (precision == Precision::f64) return std::make_unique<Variant<double>>(arguments...);
  return std::make_unique<Variant<float>>(arguments...);
}

}  // namespace boltzmark
