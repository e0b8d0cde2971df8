// CUB's segmented sum. The host defines BOLTZMARK_LENGTH, the values of a segment.
#include "cuda/runtime/kernels/cub.h"

#include <cub/device/device_segmented_reduce.cuh>
#include <iterator>

/// Start of segment number i, as the iterator that CUB requires.
struct Borders {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Count;
  using difference_type = long long;
  using pointer = const Count*;
  using reference = Count;

  long long first = 0;

  __host__ __device__ Count operator[](long long i) const {
    return static_cast<Count>((first + i) * BOLTZMARK_LENGTH);
  }
  __host__ __device__ Count operator*() const { return (*this)[0]; }
  __host__ __device__ Borders operator+(long long i) const { return {first + i}; }
};

extern "C" int run(void* scratch, size_t* scratch_bytes, const void* values, void* results,
                   long long segments, void* stream) {
  return cub::DeviceSegmentedReduce::Sum(scratch, *scratch_bytes, static_cast<const Value*>(values),
                                         static_cast<Value*>(results), segments, Borders{}, Borders{1},
                                         static_cast<cudaStream_t>(stream));
}
