// The words of target.h, which includes this, in OpenCL C: for OpenCL and, through cuda/runtime/kernels/, CUDA.
#ifndef BOLTZMARK_COMMON_TARGET_WORDS_OPENCL_H
#define BOLTZMARK_COMMON_TARGET_WORDS_OPENCL_H

typedef struct Chunk {
  long site, stride;
  int count; /* sites of the chunk that are in the box */
  int ahead; /* sites from here to those that are fetched meanwhile */
  int row, column;
} Chunk;

#define TARGET_ENTRY kernel void
/* Each launch counts itself, so that the host sees which did not run. */
#define TARGET_SITES Sites sites, global uint *restrict launches
#define LONG long
#define UINT uint
#define TARGET FN
#define TARGET_APART
#define FIELD global SCALAR* restrict
#ifdef OPENCL_C_IN_CUDA
#define TARGET_CONST const SCALAR* restrict
#else
#define TARGET_CONST __constant SCALAR* restrict
#endif
#define TARGET_STRUCT(name) struct name
#define TARGET_MASK MASK
#define TARGET_STRUCT_OF(name) struct name
#ifdef OPENCL_C_IN_CUDA
#define TARGET_NEIGHBOURS(name, count)    \
  struct NEIGHBOURS_ALIGNED(count) name { \
    SCALAR of[count];                     \
  }
#define AT_NEIGHBOURS(name, place) (*(global const struct name*)(place))
#else /* NVIDIA's compiler of OpenCL C reads a struct number by number, a vector as one */
#define TARGET_NEIGHBOURS(name, count)                                            \
  struct NEIGHBOURS_ALIGNED(count) name {                                         \
    SCALAR of[count];                                                             \
  };                                                                              \
  FN struct name name##_at(global const SCALAR* place) {                          \
    struct name all;                                                              \
    if ((count) % 4 == 0) {                                                       \
      UNROLLED for (int i = 0; i < (count); i += 4) {                             \
        const JOIN(SCALAR, 4) four = *(global const JOIN(SCALAR, 4)*)(place + i); \
        all.of[i] = four.x, all.of[(i + 1) % (count)] = four.y;                   \
        all.of[(i + 2) % (count)] = four.z, all.of[(i + 3) % (count)] = four.w;   \
      }                                                                           \
    } else if ((count) == 2) {                                                    \
      const JOIN(SCALAR, 2) two = *(global const JOIN(SCALAR, 2)*)place;          \
      all.of[0] = two.x, all.of[(count)-1] = two.y;                               \
    } else {                                                                      \
      UNROLLED for (int i = 0; i < (count); ++i) all.of[i] = place[i];            \
    }                                                                             \
    return all;                                                                   \
  }                                                                               \
  struct name
#define AT_NEIGHBOURS(name, place) name##_at(place)
#endif
#define TARGET_CALL(function) function
#ifdef KEEP_LOOPS /* the host's wish for processors, whose compilers take long over hundreds of statements */
#define TARGET_UNROLL
#else
#define TARGET_UNROLL _Pragma("unroll")
#endif
#define TARGET_TABLE __constant
#define TARGET_BROADCAST(x) (VECTOR(REAL)(x))

// Set by the host: GROUP_X x GROUP_Y work-items in a group, and DOWN_COLUMNS if neighbouring work-items are not in the
// same row but in neighbouring layers, then rows.
#define GROUP_ITEMS (GROUP_X * GROUP_Y)
#if GROUP_Y == 1
#define ITEM_IN_GROUP get_local_id(0)
#define IS_FIRST_ITEM (get_global_id(0) == 0)
#else
#define ITEM_IN_GROUP ((int)(get_local_id(1) * GROUP_X + get_local_id(0)))
#define IS_FIRST_ITEM (get_global_id(0) == 0 && get_global_id(1) == 0)
#endif

/// Site `x` of a row.
FN int site_in_row(Sites sites, int row, int x) {
#ifdef DOWN_COLUMNS
  const int in_layer = sites.layers == 1 ? row : (int)((uint)row / (uint)sites.layers);
  return sites.first + x + in_layer * sites.row_pitch + (row - in_layer * sites.layers) * sites.layer_pitch;
#else
  const int layer = sites.layers == 1 ? 0 : (int)((uint)row / (uint)sites.rows);
  return sites.first + x + (row - layer * sites.rows) * sites.row_pitch + layer * sites.layer_pitch;
#endif
}

/// The chunk of this work-item, or of `sharing` neighbours, whose sites are `width`, `vector` sites on. Groups of one
/// row of items take the next chunks in order, other groups are tiles; if there is only one row or column, all items go
/// along it.
FN Chunk chunk_of_item(Sites sites, int width, int vector, int sharing) {
  const int in_row = (sites.length + width - 1) / width;
#ifdef DOWN_COLUMNS
  const int along = sites.rows * sites.layers, across = in_row;
#else
  const int along = in_row, across = sites.rows * sites.layers;
#endif
#if GROUP_Y == 1
  const uint item = get_global_id(0) / (uint)sharing;
  const int across_at = item / (uint)along, along_at = item - across_at * along;
#else
  const uint tile_x = GROUP_X / sharing, items = GROUP_ITEMS / sharing, item = ITEM_IN_GROUP / sharing;
  const uint tile = get_group_id(0), number = tile * items + item;
  const uint tiles = (along + tile_x - 1) / tile_x, tile_row = tile / tiles;
  const bool is_line = along == 1 || across == 1;
  const int along_at = is_line ? (along == 1 ? 0 : number) : (tile - tile_row * tiles) * tile_x + item % tile_x;
  const int across_at = is_line ? (along == 1 ? number : 0) : tile_row * (items / tile_x) + item / tile_x;
#endif
#ifdef DOWN_COLUMNS
  const int row = along_at, x = across_at * width + vector;
#else
  const int row = across_at, x = along_at * width + vector;
#endif
  Chunk chunk;
  chunk.site = site_in_row(sites, row, x);
  chunk.stride = sites.stride;
  chunk.row = row;
  chunk.column = x;
  chunk.count = row < sites.rows * sites.layers ? min(sites.length - x, LANES) : 0;
  const int ahead = min(sites.length, 1024 / (int)sizeof(SCALAR));
  chunk.ahead = x + ahead < sites.length ? ahead : ahead + sites.row_pitch - sites.length;
  return chunk;
}

// On a processor whole lines are fetched ahead and stored past the caches, as the C++ above does. Stores past the
// caches become visible after a locked instruction, which ends every group.
#if defined CLANG_ON_PROCESSOR && LANES * BYTES_OF_SCALAR >= 64
#define STREAMS_LINES
#endif

FN REAL load_chunk(global const SCALAR* from, int ahead) {
#if defined STREAMS_LINES && !defined DOWN_COLUMNS
  const size_t first = (size_t)(from + ahead), bytes = LANES * sizeof(SCALAR);
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch((const void*)(first + at), 0, 2);
  __builtin_prefetch((const void*)(first + bytes - 1), 0, 2);  // NEAR may begin within a line
#endif
  return LOAD(from);
}

/// SET of a chunk at the end of a row, where the chunk may have more sites than the row.
FN void set_chunk(REAL value, global SCALAR* to, int count, int past_caches) {
#if LANES == 1
  if (count == 1) *to = value;
#else
#ifdef STREAMS_LINES
  if (past_caches && count == LANES) {
    __builtin_nontemporal_store(value, (global REAL*)to);
    return;
  }
#endif
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
  if (IS_FIRST_ITEM) ++*launches;                                 \
  for (int first_lane = 0; first_lane < VVL; first_lane += LANES) \
    for (Chunk chunk = chunk_of_item(sites, VVL, first_lane, 1); chunk.count > 0; chunk.count = 0)
#define AT(field, value, chunk) NEAR(field, value, chunk, 0)
#define NEAR(field, value, chunk, offset) \
  load_chunk((field) + (value) * (chunk).stride + (chunk).site + (offset), (chunk).ahead)
#define AT_SITE(field, site) LOAD((field) + (site))
#define SET(field, value, chunk, x) set_chunk(x, (field) + (value) * (chunk).stride + (chunk).site, (chunk).count, 0)
/* Lines of a chunk that begins with a line are whole: buffers and strides are multiples of a REAL. */
#define SET_PAST_AT SET_PAST
#define SET_PAST(field, value, chunk, x) \
  set_chunk(x, (field) + (value) * (chunk).stride + (chunk).site, (chunk).count, (chunk).site % LANES == 0)

#if LANES == 1
#define LANE_NUMBERS ((SCALAR)0)
#elif LANES == 2
#define LANE_NUMBERS (VECTOR(REAL)(0, 1))
#elif LANES == 4
#define LANE_NUMBERS (VECTOR(REAL)(0, 1, 2, 3))
#elif LANES == 8
#define LANE_NUMBERS (VECTOR(REAL)(0, 1, 2, 3, 4, 5, 6, 7))
#else
#define LANE_NUMBERS (VECTOR(REAL)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif
#define TARGET_NUMBER(chunk) TARGET_NUMBER_SINCE(chunk, 0)
#define TARGET_NUMBER_SINCE(chunk, first) (VECTOR(REAL)((SCALAR)((chunk).site - (first))) + LANE_NUMBERS)
#if LANES == 1
#define TARGET_NUMBER_FROM(chunk, first) plus_index(first, (uint)(chunk).site)
#else
#define TARGET_NUMBER_FROM(chunk, first) (VECTOR(REAL)(plus_index(first, (uint)(chunk).site)) + LANE_NUMBERS)
#endif
#define TARGET_FIRST(chunk) ((chunk).site)
#define TARGET_ROW(sites, chunk) ((chunk).row)
#define TARGET_COLUMN(sites, chunk) ((chunk).column)

#define TARGET_LANES(chunk) (chunk).count
#define AT_LANE(field, value, chunk, lane) (field)[(value) * (chunk).stride + (chunk).site + (lane)]

/* Sums in a type that does not stall where floats do, if the device has it. */
#if defined DOUBLES || defined cl_khr_fp64 || defined OPENCL_C_IN_CUDA
#ifndef OPENCL_C_IN_CUDA
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PART double
#else
#define PART float
#endif

/// Chunk at site `x` of the row that begins at `first`.
FN Chunk chunk_in_row(Sites sites, int first, int x) {
  Chunk chunk;
  chunk.site = first + x;
  chunk.stride = sites.stride;
  chunk.count = min(sites.length - x, LANES);
  chunk.ahead = chunk.row = chunk.column = 0;
  return chunk;
}

/// Sum of the lanes that are in the box.
FN SCALAR sum_of_chunk(REAL value, int count) {
#if LANES == 1
  return value;
#else
  if (count == LANES) return sum_of_lanes(value);
  SCALAR lanes[LANES], sum = 0;
  STORE_IN(private, value, lanes);
  for (int lane = 0; lane < count; ++lane) sum += lanes[lane];
  return sum;
#endif
}

/// Stores the sum of a group's items, all in one row, in parts[group]. A loop with barriers must follow a barrier
/// (reduction.h).
FN void store_part(PART sum, local PART* scratch, global PART* restrict parts) {
  const int item = get_local_id(0);
  scratch[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int count = GROUP_ITEMS; count > 1;) {
    const int half_count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item + half_count < count) scratch[item] += scratch[item + half_count];
    count = half_count;
  }
  if (item == 0) parts[get_group_id(0)] = scratch[0];
}

/* So many chunks are added up as a REAL, then as a PART. All items share each row: a loop over the chunks of a box
   would take three divisions for each. */
#define CHUNKS_OF_PART 64
#define TARGET_SUM_ENTRY TARGET_ENTRY
#define TARGET_SUM_SITES TARGET_SITES, global PART* restrict parts
/* What `add_chunks` adds to `all` of so many chunks, `now`, from site x of a row on. */
#define TARGET_SUM_BY(add_chunks)                                                                              \
  LOCAL_VARIABLE PART scratch[GROUP_ITEMS];                                                                    \
  if (get_global_id(0) == 0) ++*launches;                                                                      \
  const uint item = get_global_id(0), items = get_global_size(0), in_row = (sites.length + LANES - 1) / LANES; \
  const uint of_item = item < in_row ? (in_row - item - 1) / items + 1 : 0;                                    \
  PART all = 0;                                                                                                \
  for (int row = 0; row < sites.rows * sites.layers; ++row) {                                                  \
    const int first_of_row = site_in_row(sites, row, 0);                                                       \
    uint x = item * LANES;                                                                                     \
    for (uint left = of_item; left > 0;) {                                                                     \
      const uint now = min(left, (uint)CHUNKS_OF_PART);                                                        \
      left -= now;                                                                                             \
      add_chunks                                                                                               \
    }                                                                                                          \
  }                                                                                                            \
  store_part(all, scratch, parts)

#define TARGET_SUM_OF(chunk, value)                             \
  TARGET_SUM_BY({                                               \
    REAL whole = VECTOR(REAL)((SCALAR)0);                       \
    for (uint i = 0; i < now; ++i, x += items * LANES) {        \
      const Chunk chunk = chunk_in_row(sites, first_of_row, x); \
      const REAL of_chunk = value;                              \
      if (LANES == 1 || chunk.count == LANES)                   \
        whole = whole + of_chunk;                               \
      else                                                      \
        all += sum_of_chunk(of_chunk, chunk.count);             \
    }                                                           \
    all += sum_of_lanes(whole);                                 \
  })

#if defined DOUBLES && LANES == 1 && !defined KEEP_LOOPS
/* A branch for each chunk would cost a GPU as much as a tenth of a draw. */
#define TARGET_COUNT_OF(chunk, beyond, least, value)                 \
  TARGET_SUM_BY({                                                    \
    float count = 0;                                                 \
    float nearest = least;                                           \
    _Pragma("unroll 2") for (uint i = 0; i < now; ++i, x += items) { \
      const Chunk chunk = chunk_in_row(sites, first_of_row, x);      \
      const float of_chunk = beyond;                                 \
      count += of_chunk < 0 ? 1.0f : 0.0f;                           \
      nearest = fmin(nearest, fabs(of_chunk));                       \
    }                                                                \
    if (nearest < least) {                                           \
      count = 0;                                                     \
      x -= now * items;                                              \
      for (uint i = 0; i < now; ++i, x += items) {                   \
        const Chunk chunk = chunk_in_row(sites, first_of_row, x);    \
        count += (float)(value);                                     \
      }                                                              \
    }                                                                \
    all += count;                                                    \
  })
#else
#define TARGET_COUNT_OF(chunk, beyond, least, value) TARGET_SUM_OF(chunk, value)
#endif

/// Items without a chunk take part in the walk but store nothing. With both statements under the `if`, PoCL 3.1
/// computed wrong sums of rows beside such items, although a simulator (oclgrind) finds neither races nor diverging
/// barriers.
FN Chunk chunk_or_none(Sites sites, int width, int vector, int sharing) {
  Chunk chunk = chunk_of_item(sites, width, vector, sharing);
  if (chunk.count <= 0) chunk.site = sites.first;
  chunk.count = max(chunk.count, 0);
  return chunk;
}

#ifndef ROW_ITEMS /* the host's wish, a power of two of which GROUP_X is a multiple */
#define ROW_ITEMS 1
#endif
#define TARGET_ROWS(sites, row)   \
  if (IS_FIRST_ITEM) ++*launches; \
  for (Chunk row = chunk_or_none(sites, 1, 0, ROW_ITEMS), *once = &row; once; once = 0)
#define TARGET_ALONG_ROW(count, number) \
  for (int number = ITEM_IN_GROUP % ROW_ITEMS * LANES; number < (count); number += ROW_ITEMS * LANES)
#define AT_ROW(field, value, row) AT_LANE(field, value, row, 0)
#define SET_ROW(field, value, row, x)                      \
  if ((row).count > 0 && ITEM_IN_GROUP % ROW_ITEMS == 0) { \
    AT_LANE(field, value, row, 0) = (x);                   \
  }
#if LANES == 1
#define IN_ROW(x, number, count) (x)
#else
#define IN_ROW(x, number, count) in_row(x, (count) - (number))
FN REAL in_row(REAL value, int left) {
  if (left >= LANES) return value;
  return choose(VECTOR(REAL)((SCALAR)left) > LANE_NUMBERS, value, VECTOR(REAL)((SCALAR)0));
}
#endif
#if ROW_ITEMS == 1
#define TARGET_ROW_SUMS(sums)
#define TARGET_ROW_SUM(sum, x) sum_of_lanes(x)
#else
#define TARGET_ROW_SUMS(sums) LOCAL_VARIABLE SCALAR parts_of_rows[(sums)*GROUP_ITEMS]
#define TARGET_ROW_SUM(sum, x) sum_of_items(x, parts_of_rows + (sum)*GROUP_ITEMS)
/// Sum over the items that share a row, for the first of them. All items of a group call it together.
FN SCALAR sum_of_items(REAL value, local SCALAR* parts) {
  const int item = ITEM_IN_GROUP;
  parts[item] = sum_of_lanes(value);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int apart = ROW_ITEMS / 2; apart > 0; apart /= 2) {
    if (item % ROW_ITEMS < apart) parts[item] += parts[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return parts[item];
}
#endif

#if defined TARGET_AT_ONCE            /* the host's wish */
#elif defined KEEP_LOOPS || LANES > 2 /* a processor finds by itself what it can do at a time */
#define TARGET_AT_ONCE 1
#else
#define TARGET_AT_ONCE (16 / BYTES_OF_SCALAR)
#endif
TARGET_NEIGHBOURS(SomeSites, TARGET_AT_ONCE);
#define SOME_CHUNKS struct SomeChunks
#if defined OPENCL_C_IN_CUDA && TARGET_AT_ONCE > 1
struct NEIGHBOURS_ALIGNED(TARGET_AT_ONCE) SomeChunks {
  REAL of[TARGET_AT_ONCE];
};
#define AT_SITES(field, number) (*(global const struct SomeChunks*)((field) + (number)))
#else
struct SomeChunks {
  REAL of[TARGET_AT_ONCE];
};
FN struct SomeChunks chunks_from(global const SCALAR* from) {
  struct SomeChunks chunks;
#if LANES == 1
  const struct SomeSites sites = AT_NEIGHBOURS(SomeSites, from);
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) chunks.of[i] = sites.of[i];
#else
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) chunks.of[i] = LOAD(from + i * LANES);
#endif
  return chunks;
}
#define AT_SITES(field, number) chunks_from((field) + (number))
#endif
FN struct SomeChunks broadcast_sites(struct SomeSites sites) {
  struct SomeChunks chunks;
  UNROLLED for (int i = 0; i < TARGET_AT_ONCE; ++i) chunks.of[i] = VECTOR(REAL)(sites.of[i]);
  return chunks;
}
#define TARGET_ALONG_SITES(count, number)                                                 \
  for (int number = ITEM_IN_GROUP % ROW_ITEMS * LANES * TARGET_AT_ONCE; number < (count); \
       number += ROW_ITEMS * LANES * TARGET_AT_ONCE)
#ifdef TILED /* the host's wish: each group keeps a tile of the sites in local memory */
#define TARGET_TLP_ALL(sites, chunk)                              \
  if (IS_FIRST_ITEM) ++*launches;                                 \
  for (int first_lane = 0; first_lane < VVL; first_lane += LANES) \
    for (Chunk chunk = chunk_or_none(sites, VVL, first_lane, 1), *once = &chunk; once; once = 0)
enum { TILE_SITES = GROUP_ITEMS < TARGET_AT_ONCE ? TARGET_AT_ONCE : GROUP_ITEMS - GROUP_ITEMS % TARGET_AT_ONCE };
#define TARGET_TILE(values) LOCAL_VARIABLE SCALAR tile[(values)*TILE_SITES] NEIGHBOURS_ALIGNED(TARGET_AT_ONCE)
/// Loads the next sites into the tile; returns their number.
FN int load_tile(local SCALAR* tile, global const SCALAR* field, int values, long stride, int first, int count) {
  const int sites = min((int)TILE_SITES, count - first);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int v = 0; v < values; ++v)
    for (int site = ITEM_IN_GROUP; site < sites; site += GROUP_ITEMS)
      tile[v * TILE_SITES + site] = field[v * stride + first + site];
  barrier(CLK_LOCAL_MEM_FENCE);
  return sites;
}
#define TARGET_EACH_SITES(field, values, count, other)                                                   \
  for (int all_sites = ((count) + TARGET_AT_ONCE - 1) / TARGET_AT_ONCE * TARGET_AT_ONCE, tile_first = 0; \
       tile_first < all_sites; tile_first += TILE_SITES)                                                 \
    for (int in_tile = load_tile(tile, field, values, chunk.stride, tile_first, all_sites), other = 0;   \
         other < in_tile; other += TARGET_AT_ONCE)
#define SITES(field, value, other) \
  broadcast_sites(*(local const struct SomeSites*)(tile + (value)*TILE_SITES + (other)))
#else
#define TARGET_TLP_ALL TARGET_TLP
#define TARGET_TILE(values)
#define TARGET_EACH_SITES(field, values, count, other) for (int other = 0; other < (count); other += TARGET_AT_ONCE)
#define SITES(field, value, other) broadcast_sites(AT_NEIGHBOURS(SomeSites, (field) + (value)*chunk.stride + (other)))
#endif

#endif
