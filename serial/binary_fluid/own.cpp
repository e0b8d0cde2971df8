// Original: the collision of each site, one after another, as the code that targetDP began from has it.
#include "common/binary_fluid/original.hpp"

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {binary_fluid::original_variant(made_of<Run, binary_fluid::OriginalFluid>)};
}
