// Packed panels for every length of vectors that this build has registers for, chosen when the program runs.
#pragma once

#include <fmt/core.h>

#include "common/cpu/vector_lengths.hpp"
#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/multiplier.hpp"

namespace boltzmark::matmul {

template <template <class, int> class Variant, class... Arguments>
std::unique_ptr<Multiplier> make_of_length(Precision precision, std::optional<int> asked,
                                           const Arguments&... arguments) {
  return boltzmark::make_of_length<Multiplier, Variant>(precision, asked, arguments...);
}

/// What a record says of packed panels.
template <class T, int lanes>
Settings settings_of(const Packed<T, lanes>& packed) {
  using Tile = typename Packed<T, lanes>::Tile;
  const BlockSizes& blocks = packed.blocks();
  return {{"vector_lanes", lanes},
          {"tile", fmt::format("{}x{}", Tile::rows, Tile::columns)},
          {"block", fmt::format("{}x{}x{}", blocks.rows, blocks.columns, blocks.depth)}};
}

}  // namespace boltzmark::matmul
