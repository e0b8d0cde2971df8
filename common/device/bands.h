// Rows (in three dimensions planes) that a launch updates, and the targets of its halo rows; for host and kernels.
#ifndef BOLTZMARK_BANDS_H
#define BOLTZMARK_BANDS_H

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
#include <cstdint>

namespace boltzmark::device {
using ulong = std::uint64_t;
#endif

/// `south_rows` from `south` on, and `north_rows` from `north` on.
struct Bands {
  int south, south_rows;
  int north, north_rows;
};

/// A neighbour's strip, opened on this device. Addresses are numbers, for a kernel's struct may have no pointers.
struct PeerStrip {
  ulong grid;     /* address of what the launch makes; 0: none is open */
  ulong cells;    /* of its grid, from one population to the next */
  ulong halo_row; /* first of its halo rows at the common end */
  ulong arrived;  /* address of the word that says which launch's rows are there */
};

/// For launches that send halo rows themselves: launch `number`, from 1 on, waits for the data sent by launch number -
/// 1 of the neighbours.
struct HaloPeers {
  struct PeerStrip south, north;
  ulong arrived; /* address of this strip's words that the neighbours write: southern, northern */
  ulong done;    /* and of its warps that are done at either end */
  ulong number;  /* modulo 2^32 */
};

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
}  // namespace boltzmark::device
#endif

#endif
