// Matrix multiplication: C = A B, of any sizes, each matrix row by row in memory.
//
//     for (i = 0; i < M; ++i)
//       for (j = 0; j < N; ++j) {
//         c[i][j] = 0;
//         for (k = 0; k < K; ++k) c[i][j] += a[i][k] * b[k][j];
//       }
//
// 2 M N K FLOPs. With the least traffic (every matrix once) that is N/6 FLOPs per byte for square matrices of floats;
// without any reuse 1/4. Variants differ in how much reuse they achieve: their facts give the bytes that the loops move
// per element of C, and the ladder of variants crosses the ridge point of the roofline.
#pragma once

#include <span>

#include "common/matmul/shape.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::matmul {

/// One model, variant and precision.
class Multiplier : public Implementation {
 public:
  /// Makes A and B.
  virtual void init(const Shape& shape, const Entries& entries) = 0;
  /// The timed part: C, in the model's memory.
  virtual void multiply() = 0;
  /// A row of C, on the root; on any thread.
  virtual void read(std::int64_t row, std::span<double> values) const = 0;
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::matmul
