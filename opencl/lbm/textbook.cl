// Kernels of the textbook, D2Q9 or D3Q19: one work-item per cell, population i of cell (x, y, z) at i * cells + x +
// nx * (y + ny * z), so that neighbouring work-items read and write neighbouring numbers. The physics of a cell is that
// of every model, common/lbm/cell.h. The host defines REAL, NX, NY, NZ, DRIVEN_ROW, GROUP_X and GROUP_Y.
#define SCALAR REAL
#define MASK int
#include "common/lbm/cell.h"

#define CELLS ((long)NX * NY * NZ)

/// Push of a moving wall on a population that leaves it.
struct Push {
  long cell;
  int direction;
  REAL momentum;
};

long cell_at(int x, int y, int z) { return x + NX * (y + (long)NY * z); }

/// All directions are periodic.
int wrapped(int at, int count) { return at < 0 ? at + count : at < count ? at : at - count; }

/// The body force: NX times NZ work-items.
kernel void accelerate_flow(struct Relaxation c, global const uchar* solid, global REAL* from) {
  const long cell = cell_at(get_global_id(0), DRIVEN_ROW, get_global_id(1));
  if (solid[cell]) return;
  struct Populations a;
  for (int i = 0; i < DIRECTIONS; ++i) a.f[i] = from[i * CELLS + cell];
  a = accelerate(a, 1, c);
  for (int i = 0; i < DIRECTIONS; ++i) from[i * CELLS + cell] = a.f[i];
}

/// Pull: each population arrives from the neighbour against its direction and is collided, or bounced back in a solid
/// cell. The work-items of a group add up their |u| by a tree in local memory. As many work-items as cells, rounded up
/// to whole groups.
kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void time_step(struct Relaxation c,
                                                                                 global const uchar* solid,
                                                                                 global const REAL* from,
                                                                                 global REAL* to, global REAL* sums) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  REAL speed = 0;
  if (x < NX && y < NY) {
    const long cell = cell_at(x, y, z);
    struct Populations a;
    for (int i = 0; i < DIRECTIONS; ++i)
      a.f[i] = from[i * CELLS + cell_at(wrapped(x - lattice_cx[i], NX), wrapped(y - lattice_cy[i], NY),
                                        wrapped(z - lattice_cz[i], NZ))];
    if (solid[cell]) {
      a = bounce_back(a);
    } else {
      const struct Moments m = moments_of(a, c);
      speed = speed_of(m, c);
      a = collide(a, m, c);
    }
    for (int i = 0; i < DIRECTIONS; ++i) to[i * CELLS + cell] = a.f[i];
  }
  local REAL speeds[GROUP_X * GROUP_Y];
  const int me = get_local_id(0) + GROUP_X * get_local_id(1);
  speeds[me] = speed;
  for (int width = GROUP_X * GROUP_Y / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width) speeds[me] += speeds[me + width];
  }
  if (me == 0)
    sums[get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2))] = speeds[0];
}

/// One work-item for each push.
kernel void push_walls(global const struct Push* pushes, global REAL* to) {
  const struct Push push = pushes[get_global_id(0)];
  to[push.direction * CELLS + push.cell] += push.momentum;
}
