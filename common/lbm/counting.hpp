// FLOPs per update of a cell: the very code that is timed runs on numbers that count.
#pragma once

#include "common/base/counted.hpp"
#include "common/lbm/cell.h"

namespace boltzmark::lbm {

/// FLOPs of one fluid-cell update through cell.h: moments, collision, speed, and adding the speed to the sum.
template <class L = D2Q9>
double counted_cell_flops() {
  return count_flops([] {
    Populations<Counted, L> a;
    for (int i = 0; i < L::directions; ++i) a.f[i] = Counted(0.001 * (i + 1));
    const Relaxation<Counted, L> c{};  // the values do not change the count
    const auto m = moments_of(a, c);
    Counted sum = 0.0;
    sum += scaled_speed_of(m);
    a = collide(a, m, c);
  });
}

}  // namespace boltzmark::lbm
