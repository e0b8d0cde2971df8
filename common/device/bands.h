// Rows that a launch updates, in three dimensions planes; for the host and the kernels.
#ifndef BOLTZMARK_BANDS_H
#define BOLTZMARK_BANDS_H

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
namespace boltzmark::device {
#endif

/// `south_rows` from `south` on, and `north_rows` from `north` on.
struct Bands {
  int south, south_rows;
  int north, north_rows;
};

#if defined __cplusplus && !defined OPENCL_C_IN_CUDA /* the host */
}  // namespace boltzmark::device
#endif

#endif
