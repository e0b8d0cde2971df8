// The numbers of STREAM's kernels, apart because code for offload devices reads them too. As BabelStream's.
#pragma once

namespace boltzmark::stream {

inline constexpr double scalar = 0.4;
inline constexpr double start_a = 0.1, start_b = 0.2, start_c = 0.0;

}  // namespace boltzmark::stream
