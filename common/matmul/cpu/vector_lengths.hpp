// Packed panels for every length of vectors that this build has registers for, chosen when the program runs.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "common/base/error.hpp"
#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/multiplier.hpp"

namespace boltzmark::matmul {

/// A Variant<T, lanes> made of `arguments`, of the widest vectors or of `asked` lanes. Throws Error (bad_input) for
/// lengths that there are not.
template <template <class, int> class Variant, class T, int lanes = native_lanes<T>, class... Arguments>
std::unique_ptr<Multiplier> make_of_type(std::optional<int> asked, const Arguments&... arguments) {
  constexpr int least = 16 / sizeof(T);
  if (!asked || *asked == lanes) return std::make_unique<Variant<T, lanes>>(arguments...);
  if constexpr (lanes > least)
    return make_of_type<Variant, T, lanes / 2>(asked, arguments...);
  else
    throw bad_input("--vvl: expected a power of two from {} to {} for this precision and processor, found {}",
                    least, native_lanes<T>, *asked);
}

template <template <class, int> class Variant, class... Arguments>
std::unique_ptr<Multiplier> make_of_length(Precision precision, std::optional<int> asked,
                                           const Arguments&... arguments) {
  if (precision == Precision::f64) return make_of_type<Variant, double>(asked, arguments...);
  return make_of_type<Variant, float>(asked, arguments...);
}

/// What a record says of packed panels.
template <class T, int lanes>
nlohmann::json settings_of(const Packed<T, lanes>& packed) {
  using Tile = typename Packed<T, lanes>::Tile;
  const BlockSizes& blocks = packed.blocks();
  return {{"vector_lanes", lanes},
          {"tile", fmt::format("{}x{}", Tile::rows, Tile::columns)},
          {"block", fmt::format("{}x{}x{}", blocks.rows, blocks.columns, blocks.depth)}};
}

}  // namespace boltzmark::matmul
