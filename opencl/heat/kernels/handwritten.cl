// Handwritten: the published hand-written kernel. A work-item has a column and marches down its rows, with the column's
// changes in a register; the host reads one number per column after every step, adds them up and swaps the grids.
//
//     for all rows of my column   next = 0.2 (...);   changes += |next - centre|
#include "plate.h"

HEAT_KERNEL advance(global const SCALAR* restrict from, global SCALAR* restrict to,
                    global SCALAR* restrict column_changes) {
  const int x = get_global_id(0);
  if (x >= WIDTH) return;
  SCALAR changes = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    const SCALAR next = step_of_cell(from, y, x);
    changes += fabs(next - AT(from, y, x));
    AT(to, y, x) = next;
  }
  column_changes[x] = changes;
}
