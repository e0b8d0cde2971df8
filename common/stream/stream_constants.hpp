// The numbers of STREAM's kernels, apart because code for offload devices reads them too. As BabelStream's.
#pragma once

namespace boltzmark {

inline constexpr double stream_scalar = 0.4;
inline constexpr double stream_start_a = 0.1, stream_start_b = 0.2, stream_start_c = 0.0;

}  // namespace boltzmark
