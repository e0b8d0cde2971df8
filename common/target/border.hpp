// Borders of planes (border.h), in two launches: the ends of rows, then the rows before and after. A border is a mirror
// if the offset is that of the next site, and periodic if it is the length of the side. Include it like a Code's
// kernels, after all others.
#pragma once

#include <climits>

#include "common/target/border.h"
#include "common/target/on_target.hpp"

namespace boltzmark::target {

constexpr int none_negated = -1;

template <class Target>
void fill_ends_of_rows(Target& target, typename Target::Field& field, int offset, int negated = none_negated) {
  const Lattice& plane = target.lattice();
  const Sites ends = {
      plane.site(-1, 0, 0), 1, 2, plane.ny(), plane.nx() + 1, plane.row_pitch(), static_cast<int>(plane.stride())};
  target.launch(TARGET_KERNEL(fill_border), ends, field, field.values, ends.first, plane.row_pitch(), 1, offset,
                negated);
}

/// The row before the first one, the row after the last one, or both; `rows` inwards, with `ends` halo sites at either
/// end.
template <class Target>
void fill_rows_beyond(Target& target, typename Target::Field& field, bool before, bool behind, int rows, int ends = 0,
                      int negated = none_negated) {
  const Lattice& plane = target.lattice();
  const int pitch = plane.row_pitch(), all = plane.ny() + 1;
  Sites beyond = plane.box(-ends, before ? -1 : plane.ny(), 0, plane.nx() + 2 * ends, before + behind, 1);
  beyond.row_pitch = all * pitch;
  if (beyond.rows > 0)
    target.launch(TARGET_KERNEL(fill_border), beyond, field, field.values, plane.site(-1, -1, 0), INT_MAX, pitch,
                  rows * pitch, negated);
}

}  // namespace boltzmark::target
