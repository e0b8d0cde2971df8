// The words of target.h, which includes this, in C++: for one core, threads with vectors, OpenMP target and SYCL.
#ifndef BOLTZMARK_COMMON_TARGET_WORDS_CPP_H
#define BOLTZMARK_COMMON_TARGET_WORDS_CPP_H

/// Consecutive sites that are processed together.
struct Chunk {
  std::ptrdiff_t site, stride;
  std::ptrdiff_t ahead; /* sites from here to those that are fetched meanwhile */
};

template <class REAL>
constexpr int lanes_of = sizeof(REAL) / sizeof(typename RealTraits<REAL>::Scalar);

/// Distance in sites at which values are prefetched: 1 KiB of each.
template <class REAL>
constexpr int sites_ahead = 1024 / sizeof(typename RealTraits<REAL>::Scalar);

/// The chunk at `site` of a row. Later sites are further on in the row, or beyond its end in the next one.
template <class REAL>
KERNEL_FN Chunk chunk_at(const Sites& sites, std::ptrdiff_t site) {
  const int ahead = sites.length < sites_ahead<REAL> ? sites.length : sites_ahead<REAL>;
  const bool is_in_row = site + ahead < sites.first + sites.length;
  return {site, sites.stride, is_in_row ? ahead : ahead + sites.row_pitch - sites.length};
}

/// Address of a value of a chunk's sites, `offset` sites on. On NVIDIA's GPUs LLVM keeps common parts of addresses in
/// registers, and a site has some eighty addresses: 254 registers instead of 90 in a step of the binary fluid.
/// Therefore the parts that are the same for all threads are added up first.
template <class SCALAR>
KERNEL_FN SCALAR* place_of(SCALAR* field, std::ptrdiff_t value, const Chunk& chunk, std::ptrdiff_t offset) {
  std::ptrdiff_t stride = chunk.stride;
#if defined(__NVPTX__)
  asm volatile("" : "+l"(stride));
#endif
  return field + (value * stride + offset) + chunk.site;
}

/// Prefetches the lines of a chunk: hardware prefetches some tens of streams, and a site can have a hundred. Into the
/// second-level cache, because the first has too little room. Chunks of less than half a line would fetch each line too
/// often.
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
KERNEL_FN REAL lanes_from(const typename RealTraits<REAL>::Scalar* from) {
  if constexpr (lanes_of<REAL> == 1)
    return *from;
  else
    return REAL::load(from);
}
template <class REAL>
KERNEL_FN REAL load_chunk(const typename RealTraits<REAL>::Scalar* from, std::ptrdiff_t ahead) {
  fetch_chunk<REAL>(from + ahead);
  return lanes_from<REAL>(from);
}
template <class REAL>
KERNEL_FN void store_chunk(REAL value, typename RealTraits<REAL>::Scalar* to) {
  if constexpr (lanes_of<REAL> == 1)
    *to = value;
  else
    value.store(to);
}
/// Past the caches if that fills whole lines.
template <class REAL>
KERNEL_FN void stream_chunk(REAL value, typename RealTraits<REAL>::Scalar* to) {
  if constexpr (lanes_of<REAL> * sizeof(*to) < 64)
    store_chunk(value, to);
  else
    store_past_caches(value, to);
}

/* A region of a GPU has its kernel within: a function that is called gets its arguments through memory. */
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define TARGET_ENTRY    \
  template <class REAL> \
  KERNEL_FN void
#else
#define TARGET_ENTRY    \
  template <class REAL> \
  void
#endif
#define TARGET          \
  template <class REAL> \
  KERNEL_FN
/* Of an entry with a long loop for each chunk: beside other code that loop does not get the registers it needs. */
#ifdef TARGET_APART /* the includer's */
#elif defined(__NVPTX__) || defined(__AMDGCN__)
#define TARGET_APART
#else
#define TARGET_APART __attribute__((noinline))
#endif
#ifndef TARGET_SITES /* the includer may want more than a box */
#define TARGET_SITES Sites sites
#endif
#define LONG std::int64_t
#define UINT std::uint32_t
#define SCALAR typename RealTraits<REAL>::Scalar
#define FIELD SCALAR* __restrict
#define TARGET_CONST const SCALAR* __restrict
#define TARGET_STRUCT(name) name<REAL>
#define TARGET_MASK typename RealTraits<REAL>::Mask
#define TARGET_STRUCT_OF(name) \
  template <class REAL>        \
  struct name
/* Two or more numbers that are neighbours in a row and begin with a whole vector, which a GPU reads by fewer
   instructions: AT_NEIGHBOURS(name, place).of[i]. */
#define TARGET_NEIGHBOURS(name, count)    \
  template <class REAL>                   \
  struct NEIGHBOURS_ALIGNED(count) name { \
    SCALAR of[count];                     \
  }
#define AT_NEIGHBOURS(name, place) (*(const name<REAL>*)(place))
#define TARGET_CALL(function) function<REAL>
#define TARGET_UNROLL
#define UNROLLED     /* loops over an array of REALs, which then are registers: compilers of C++ see to it themselves */
#ifndef TARGET_TABLE /* `used`: an image for a device needs the table, even if each number is folded */
#define TARGET_TABLE __attribute__((used)) inline constexpr
#endif
#define TARGET_BROADCAST(x) broadcast<REAL>(x)

// Of `sites`, C++ is given one row whose length is a whole number of chunks, which begin at multiples of VVL: the
// remainder at the ends of a row is another call, with chunks of one site.
#define TARGET_TLP(sites, chunk)                                    \
  for (Chunk chunk = chunk_at<REAL>(sites, (sites).first);          \
       chunk.site < std::ptrdiff_t{(sites).first} + (sites).length; \
       chunk = chunk_at<REAL>(sites, chunk.site + lanes_of<REAL>))
#define AT(field, value, chunk) load_chunk<REAL>((field) + (value) * (chunk).stride + (chunk).site, (chunk).ahead)
#define NEAR(field, value, chunk, offset) load_chunk<REAL>(place_of(field, value, chunk, offset), (chunk).ahead)
/* The sites from number `site` on, of a table that is read again and again: nothing is fetched ahead. */
#define AT_SITE(field, site) lanes_from<REAL>((field) + (site))
#define SET(field, value, chunk, x) store_chunk<REAL>(x, place_of(field, value, chunk, 0))
#define SET_PAST(field, value, chunk, x) stream_chunk<REAL>(x, place_of(field, value, chunk, 0))
/* The same of a kernel that is short of instructions and not of registers: at addresses that AT has as well. */
#define SET_PAST_AT(field, value, chunk, x) stream_chunk<REAL>(x, (field) + (value) * (chunk).stride + (chunk).site)

template <class REAL>
KERNEL_FN REAL broadcast(typename RealTraits<REAL>::Scalar value) {
  if constexpr (lanes_of<REAL> == 1)
    return value;
  else
    return REAL::zero() + value;
}

/// 0, 1, 2 ... in the lanes.
template <class REAL>
KERNEL_FN REAL lane_numbers() {
  using Scalar = typename RealTraits<REAL>::Scalar;
  Scalar lanes[lanes_of<REAL>];
  for (int lane = 0; lane < lanes_of<REAL>; ++lane) lanes[lane] = static_cast<Scalar>(lane);
  return load_chunk<REAL>(lanes, 0);
}

/// `first` and the numbers after it.
template <class REAL>
KERNEL_FN REAL numbers_from(typename RealTraits<REAL>::Scalar first) {
  if constexpr (lanes_of<REAL> == 1)
    return first;
  else
    return lane_numbers<REAL>() + first;
}

/* Numbers of a chunk's sites, also counted from `first`, or with `first` for site 0; and of the first one. */
#define TARGET_NUMBER(chunk) TARGET_NUMBER_SINCE(chunk, 0)
#define TARGET_NUMBER_SINCE(chunk, first) (numbers_from<REAL>(static_cast<SCALAR>((chunk).site - (first))))
#define TARGET_NUMBER_FROM(chunk, first) (numbers_from<REAL>(plus_index(first, static_cast<UINT>((chunk).site))))
#define TARGET_FIRST(chunk) (static_cast<LONG>((chunk).site))
/* Where in a box of one layer a chunk begins. */
#define TARGET_ROW(sites, chunk) ((sites).row)
#define TARGET_COLUMN(sites, chunk) ((sites).column + static_cast<int>((chunk).site - (sites).first))

/* Sites of a chunk, where lanes go ways of their own: AT_LANE is a SCALAR. */
#define TARGET_LANES(chunk) lanes_of<REAL>
#define AT_LANE(field, value, chunk, lane) (field)[(value) * (chunk).stride + (chunk).site + (lane)]

/* A sum over sites, of target.sum(TARGET_SUM_KERNEL(name), box, arguments...); `value` may use `chunk` and arguments:
     TARGET_SUM_ENTRY name(TARGET_SUM_SITES, arguments) { TARGET_SUM_OF(chunk, value); } */
#define TARGET_SUM_ENTRY \
  template <class REAL>  \
  REAL
#define TARGET_SUM_SITES TARGET_SITES
#define TARGET_SUM_OF(chunk, value)                                                                        \
  REAL sum = broadcast<REAL>(static_cast<SCALAR>(-0.0)); /* to which a first value is added for nothing */ \
  TARGET_TLP(sites, chunk) sum = sum + (value);                                                            \
  return sum
#define TARGET_COUNT_OF(chunk, beyond, least, value) TARGET_SUM_OF(chunk, value)

/* The sums of rows, a site each, of target.launch_rows(): SET_ROW(field, value, row, sum) of what TARGET_ROW_SUM(0, x)
   gave, where x was added up in TARGET_ALONG_ROW over the vectors of numbers 0 to count - 1; IN_ROW is 0 for the lanes
   behind these. TARGET_ROW_SUMS is so many sums in a kernel, and AT_ROW the SCALAR that the site has. */
#ifndef ROW_ITEMS /* the includer's threads that share a row, which of them this is, and their sum */
#define ROW_ITEMS 1
#define ROW_ITEM 0
#define SUM_OF_ROW_ITEMS(x) (x)
#endif
#define TARGET_ROW_SUMS(sums)
#define TARGET_ROWS(sites, row)                                                                                   \
  for (Chunk row = {(sites).first, (sites).stride, 0}; row.site < std::ptrdiff_t{(sites).first} + (sites).length; \
       ++row.site)
#ifdef __NVPTX__ /* LLVM unrolls no loop of a step that it does not know where it is not told to */
#define UNROLLED_BY_FOUR _Pragma("clang loop unroll_count(4)")
#define KEPT_AS_IT_IS _Pragma("clang loop unroll(disable)")
#else
#define UNROLLED_BY_FOUR
#define KEPT_AS_IT_IS
#endif
#define TARGET_ALONG_ROW(count, number) \
  UNROLLED_BY_FOUR                      \
  for (int number = ROW_ITEM * lanes_of<REAL>; number < (count); number += ROW_ITEMS * lanes_of<REAL>)
#define TARGET_ROW_SUM(sum, x) SUM_OF_ROW_ITEMS(sum_of_lanes<REAL>(x))
#define AT_ROW(field, value, row) AT_LANE(field, value, row, 0)
#define SET_ROW(field, value, row, x) \
  if (ROW_ITEM == 0) AT_LANE(field, value, row, 0) = (x)
#define IN_ROW(x, number, count) in_row<REAL>(x, (count) - (number))

template <class REAL>
KERNEL_FN typename RealTraits<REAL>::Scalar sum_of_lanes(REAL value) {
  if constexpr (lanes_of<REAL> == 1)
    return value;
  else
    return value.sum();
}
template <class REAL>
KERNEL_FN REAL in_row(REAL value, int left) {
  if constexpr (lanes_of<REAL> == 1)
    return value;
  else if (left >= lanes_of<REAL>)
    return value;
  else
    return choose(lane_numbers<REAL>() * -1 + static_cast<typename RealTraits<REAL>::Scalar>(left) > 0, value,
                  REAL::zero());
}

/* A GPU has TARGET_AT_ONCE sites under way at a time, so that it has something to do where one of them waits, and reads
   their values by few instructions. Numbers of sites are multiples of that, and sites behind the last one are read too.
   In TARGET_TLP_ALL they are all `count` sites of a line: SITES(field, value, other).of[i] is one in all lanes.
   In TARGET_ROWS they are the vectors of a row: AT_SITES(field, number).of[i]. */
#if defined(__NVPTX__) || defined(__AMDGCN__)
/* Of 16 bytes, which a thread reads at a time: neighbouring threads then read what lies side by side. */
#define TARGET_AT_ONCE (16 / (int)sizeof(SCALAR))
#else
#define TARGET_AT_ONCE 1
#endif
TARGET_NEIGHBOURS(SomeSites, TARGET_AT_ONCE);
template <class REAL>
struct SomeChunks {
  REAL of[TARGET_AT_ONCE];
};
template <class REAL>
KERNEL_FN SomeChunks<REAL> chunks_from(const typename RealTraits<REAL>::Scalar* from) {
  SomeChunks<REAL> chunks;
  if constexpr (lanes_of<REAL> == 1)
    __builtin_memcpy(&chunks, __builtin_assume_aligned(from, sizeof(SomeSites<REAL>)), sizeof chunks);
  else
    for (int i = 0; i < TARGET_AT_ONCE; ++i) chunks.of[i] = lanes_from<REAL>(from + i * lanes_of<REAL>);
  return chunks;
}
template <class REAL>
KERNEL_FN SomeChunks<REAL> broadcast_sites(SomeSites<REAL> sites) {
  SomeChunks<REAL> chunks;
  for (int i = 0; i < TARGET_AT_ONCE; ++i) chunks.of[i] = broadcast<REAL>(sites.of[i]);
  return chunks;
}
#define TARGET_TILE(values)
#define TARGET_TLP_ALL TARGET_TLP
#define TARGET_EACH_SITES(field, values, count, other) \
  for (std::ptrdiff_t other = 0; other < (count); other += TARGET_AT_ONCE)
#define SITES(field, value, other) \
  broadcast_sites<REAL>(AT_NEIGHBOURS(SomeSites, (field) + (value)*chunk.stride + (other)))
#define TARGET_ALONG_SITES(count, number)                                         \
  KEPT_AS_IT_IS                                                                   \
  for (int number = ROW_ITEM * lanes_of<REAL> * TARGET_AT_ONCE; number < (count); \
       number += ROW_ITEMS * lanes_of<REAL> * TARGET_AT_ONCE)
#define AT_SITES(field, number) chunks_from<REAL>((field) + (number))
#define SOME_CHUNKS SomeChunks<REAL>

#endif
