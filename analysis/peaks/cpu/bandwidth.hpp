// What moves bytes: the three patterns of the working-set sweep, on arrays of floats.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace boltzmark {

/// A pattern over arrays of `values` floats each, whose starts lie `array_spacing(values)` floats apart. The
/// first is written (except by read), the others are read. Counted as STREAM does: every array once a pass,
/// whatever else the hardware moves.
struct BandwidthPattern {
  std::string name;  ///< "read", "copy" or "triad"
  int arrays = 0;
  /// `values` is a multiple of `chunk_values()`.
  void (*run)(float* first, std::size_t values, long passes) = nullptr;
};

const std::vector<BandwidthPattern>& bandwidth_patterns();

/// Floats that the loops do at a time.
std::size_t chunk_values();

/// Whole pages of 4 KiB. Processors compare the lower bits of a load's address with those of the stores
/// before it: arrays a little less than a number of pages apart would have every load wait for a store it has
/// nothing to do with.
std::size_t array_spacing(std::size_t values);

}  // namespace boltzmark
