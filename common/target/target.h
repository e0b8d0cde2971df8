// The words in which an operation on every site of a lattice is written once, in the common subset of C++ and OpenCL C,
// for one core, threads with vectors, OpenMP target regions, OpenCL and CUDA. The idea is that of targetDP (Gray and
// Stratford 2014): threads take the sites in strides of VVL (the virtual vector length), and each statement is done for
// the VVL sites of such a chunk.
//
//     TARGET_ENTRY scale(TARGET_SITES, FIELD vector, SCALAR factor) {
//       TARGET_TLP(sites, chunk) {                                     // thread level: chunks of VVL sites
//         for (int i = 0; i < 3; ++i)
//           SET(vector, i, chunk, AT(vector, i, chunk) * factor);      // instruction level: a REAL is a chunk's values
//       }
//     }
//
// TARGET_SUM sums a value that is computed for each site and never stored. In TARGET_TLP_ALL all threads of a group
// walk together over all sites of a field by TARGET_EACH_SITES, on devices through tiles in local memory. In
// TARGET_ROWS a site is a row of numbers that are added up: by vectors along the row, on devices by ROW_ITEMS
// work-items, each of which takes every ROW_ITEMS-th vector.
//
// A field has several values per site and is a structure of arrays: value i of site s at i * stride + s. Some values
// follow the last site, so that AT may read a whole chunk anywhere; SET changes only sites of its box.
//
// In C++ a kernel is a template over REAL: a number (VVL 1) or a pack (common/cpu/simd.hpp, simd_wide.hpp). In OpenCL C
// the includer defines REAL and its kin first (opencl/runtime/kernels/pack.h), and the host VVL.
#ifndef BOLTZMARK_COMMON_TARGET_TARGET_H
#define BOLTZMARK_COMMON_TARGET_TARGET_H

#include "common/base/real.h"

#ifdef REAL_IS_GENERIC
#include <cstddef>
#include <cstdint>

namespace boltzmark::target {

#define SITES_OF_ALL = 0
#else
#define SITES_OF_ALL
#endif
/// A box of sites: rows of `length` sites one after another in memory, and layers of rows.
typedef struct Sites {
  int first;                                 /* site */
  int length, rows, layers;                  /* of the box */
  int row_pitch, layer_pitch;                /* sites from a row to the next, and from a layer to the next */
  int stride;                                /* of fields: sites from a value to the next */
  int row SITES_OF_ALL, column SITES_OF_ALL; /* of a part of a box: where in the box its first site is */
} Sites;

/* Of TARGET_NEIGHBOURS: with a whole vector, of four values at most. */
#define NEIGHBOURS_ALIGNED(count) __attribute__((aligned(((count) < 2 ? 1 : (count) < 4 ? 2 : 4) * sizeof(SCALAR))))

#ifdef REAL_IS_GENERIC
#include "common/target/words_cpp.h"

}  // namespace boltzmark::target
#else
#include "common/target/words_opencl.h"
#endif

#endif
