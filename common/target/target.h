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
// A field has several values per site and is a structure of arrays: value i of site s at i * stride + s. Some values
// follow the last site, so that AT may read a whole chunk anywhere; SET changes no site but those of its box.
//
// In C++ a kernel is a template over REAL: a number (VVL 1) or a pack (common/cpu/simd.hpp, simd_wide.hpp). In OpenCL C
// the includer defines REAL and its kin first (opencl/runtime/kernels/pack.h), and the host VVL.
#ifndef BOLTZMARK_COMMON_TARGET_TARGET_H
#define BOLTZMARK_COMMON_TARGET_TARGET_H

#include "common/base/real.h"

#ifdef REAL_IS_GENERIC
#include <cstddef>
#endif

#ifdef REAL_IS_GENERIC
namespace boltzmark::target {
#endif

/// A box of sites: rows of `length` sites one after another in memory, and layers of rows.
typedef struct Sites {
  int first;                  /* site */
  int length, rows, layers;   /* of the box */
  int row_pitch, layer_pitch; /* sites from a row to the next, and from a layer to the next */
  int stride;                 /* of fields: sites from a value to the next */
} Sites;

#ifdef REAL_IS_GENERIC

/// Consecutive sites that are handled together.
struct Chunk {
  std::ptrdiff_t site, stride;
  std::ptrdiff_t ahead; /* sites from here to those that are fetched meanwhile */
};

template <class REAL>
constexpr int lanes_of = sizeof(REAL) / sizeof(typename RealTraits<REAL>::Scalar);

/// So many sites before their turn values are fetched: 1 KiB of each.
template <class REAL>
constexpr int sites_ahead = 1024 / sizeof(typename RealTraits<REAL>::Scalar);

/// The chunk at `site` of a row. What comes later is further on in the row, or beyond its end in the next one.
template <class REAL>
KERNEL_FN Chunk chunk_at(const Sites& sites, std::ptrdiff_t site) {
  const int ahead = sites.length < sites_ahead<REAL> ? sites.length : sites_ahead<REAL>;
  const bool is_in_row = site + ahead < sites.first + sites.length;
  return {site, sites.stride, is_in_row ? ahead : ahead + sites.row_pitch - sites.length};
}

/// Fetches the lines of a chunk: hardware fetches ahead for some tens of streams, and a site can have a hundred. Into
/// the second cache, for the first one has no room for so many. Chunks of less than half a line would fetch each line
/// too often.
template <class REAL>
KERNEL_FN void fetch_chunk(const typename RealTraits<REAL>::Scalar* from) {
#if !defined(__NVPTX__) && !defined(__AMDGCN__)
  constexpr int bytes = lanes_of<REAL> * sizeof(*from), line = 64;
  const char* const first = reinterpret_cast<const char*>(from);
  if constexpr (bytes >= line / 2)
    for (int at = 0; at < bytes; at += line) __builtin_prefetch(first + at, 0, 2);
  if constexpr (bytes >= line) __builtin_prefetch(first + bytes - 1, 0, 2);  // NEAR may begin within a line
#else
  (void)from;
#endif
}

template <class REAL>
KERNEL_FN REAL load_chunk(const typename RealTraits<REAL>::Scalar* from, std::ptrdiff_t ahead) {
  fetch_chunk<REAL>(from + ahead);
  if constexpr (lanes_of<REAL> == 1)
    return *from;
  else
    return REAL::load(from);
}
template <class REAL>
KERNEL_FN void store_chunk(REAL value, typename RealTraits<REAL>::Scalar* to) {
  if constexpr (lanes_of<REAL> == 1)
    *to = value;
  else
    value.store(to);
}
/// Past the caches where that fills whole lines of them.
template <class REAL>
KERNEL_FN void stream_chunk(REAL value, typename RealTraits<REAL>::Scalar* to) {
  if constexpr (lanes_of<REAL> * sizeof(*to) < 64)
    store_chunk(value, to);
  else
    store_past_caches(value, to);
}

#define TARGET_ENTRY    \
  template <class REAL> \
  void
#define TARGET          \
  template <class REAL> \
  KERNEL_FN
#define TARGET_SITES Sites sites
#define SCALAR typename RealTraits<REAL>::Scalar
#define FIELD SCALAR* __restrict
#define TARGET_CONST const SCALAR* __restrict
#define TARGET_STRUCT(name) name<REAL>
#define TARGET_STRUCT_OF(name) \
  template <class REAL>        \
  struct name
#define TARGET_CALL(function) function<REAL>
#define TARGET_UNROLL
/* `used`: an image for a device needs the table, even if each number is folded into the code that reads it. */
#define TARGET_TABLE __attribute__((used)) inline constexpr
#define TARGET_BROADCAST(x) broadcast<REAL>(x)

// Of `sites`, C++ is given one row whose length is a whole number of chunks, which begin at multiples of VVL: what is
// left over at the ends of a row is another call, for chunks of one site.
#define TARGET_TLP(sites, chunk)                                    \
  for (Chunk chunk = chunk_at<REAL>(sites, (sites).first);          \
       chunk.site < std::ptrdiff_t{(sites).first} + (sites).length; \
       chunk = chunk_at<REAL>(sites, chunk.site + lanes_of<REAL>))
#define AT(field, value, chunk) NEAR(field, value, chunk, 0)
#define NEAR(field, value, chunk, offset) \
  load_chunk<REAL>((field) + (value) * (chunk).stride + (chunk).site + (offset), (chunk).ahead)
#define SET(field, value, chunk, x) store_chunk<REAL>(x, (field) + (value) * (chunk).stride + (chunk).site)
#define SET_PAST(field, value, chunk, x) stream_chunk<REAL>(x, (field) + (value) * (chunk).stride + (chunk).site)

template <class REAL>
KERNEL_FN REAL broadcast(typename RealTraits<REAL>::Scalar value) {
  if constexpr (lanes_of<REAL> == 1)
    return value;
  else
    return REAL::zero() + value;
}

#else

typedef struct Chunk {
  long site, stride;
  int count; /* sites of the chunk that are in the box */
} Chunk;

#define TARGET_ENTRY kernel void
/* Each launch counts itself, so that the host sees which did not run. */
#define TARGET_SITES Sites sites, global uint *restrict launches
#define TARGET FN
#define FIELD global SCALAR* restrict
#ifdef OPENCL_C_IN_CUDA
#define TARGET_CONST const SCALAR* restrict
#else
#define TARGET_CONST __constant SCALAR* restrict
#endif
#define TARGET_STRUCT(name) struct name
#define TARGET_STRUCT_OF(name) struct name
#define TARGET_CALL(function) function
#ifdef KEEP_LOOPS /* the host's wish for processors, whose compilers take long over hundreds of statements */
#define TARGET_UNROLL
#else
#define TARGET_UNROLL _Pragma("unroll")
#endif
#define TARGET_TABLE __constant
#define TARGET_BROADCAST(x) (VECTOR(REAL)(x))

/// Chunk `number` of this work-item: `vector` sites on in its VVL.
FN Chunk chunk_of_item(Sites sites, int vector) {
  const int in_row = (sites.length + VVL - 1) / VVL, item = get_global_id(0);
  const int row = item / in_row, x = (item - row * in_row) * VVL + vector;
  Chunk chunk;
  chunk.site = (sites.first + x + (row % sites.rows) * sites.row_pitch + (row / sites.rows) * sites.layer_pitch);
  chunk.stride = sites.stride;
  chunk.count = row < sites.rows * sites.layers ? min(sites.length - x, LANES) : 0;
  return chunk;
}

/// SET of a chunk at the end of a row may have sites to spare.
FN void set_chunk(REAL value, global SCALAR* to, int count) {
#if LANES == 1
  *to = value;
#else
  if (count == LANES) {
    STORE(value, to);
  } else {
    SCALAR lanes[LANES];
    STORE_IN(private, value, lanes);
#pragma unroll
    for (int lane = 0; lane < LANES; ++lane)
      if (lane < count) to[lane] = lanes[lane];
  }
#endif
}

// A work-item has one chunk; of VVL 32 two vectors of 16, the longest of OpenCL C.
#define TARGET_TLP(sites, chunk)                                  \
  if (get_global_id(0) == 0) ++*launches;                         \
  for (int first_lane = 0; first_lane < VVL; first_lane += LANES) \
    for (Chunk chunk = chunk_of_item(sites, first_lane); chunk.count > 0; chunk.count = 0)
#define AT(field, value, chunk) LOAD((field) + (value) * (chunk).stride + (chunk).site)
#define NEAR(field, value, chunk, offset) LOAD((field) + (value) * (chunk).stride + (chunk).site + (offset))
#define SET(field, value, chunk, x) set_chunk(x, (field) + (value) * (chunk).stride + (chunk).site, (chunk).count)
#define SET_PAST(field, value, chunk, x) SET(field, value, chunk, x)

#endif

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::target
#endif

#endif
