// Matrix multiplication: C = A B, of any sizes, each matrix row by row in memory.
//
//     for (i = 0; i < M; ++i)
//       for (j = 0; j < N; ++j) {
//         c[i][j] = 0;
//         for (k = 0; k < K; ++k) c[i][j] += a[i][k] * b[k][j];
//       }
//
// 2 M N K FLOPs. Of the least traffic (every matrix once) N/6 FLOPs a byte for square matrices of floats; without any
// reuse 1/4. A variant is told by how much of that reuse it gets: its facts give the bytes that its loops move per
// element of C, and so its ladder goes from far left of the ridge point of the roofline to far right of it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "common/matmul/entries.hpp"
#include "common/matmul/shape.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::matmul {

/// One model, variant and precision.
class Multiplier {
 public:
  virtual ~Multiplier() = default;
  /// Before init: what there is where so many bytes of matrices do not fit, in words like "21.3 GiB free in this
  /// machine"; "" when they fit. Collective.
  virtual std::string shortage(double bytes) = 0;
  /// Makes A and B. Collective.
  virtual void init(const Shape& shape, const Entries& entries) = 0;
  /// The timed part: C, wherever the model keeps it. Collective.
  virtual void multiply() = 0;
  /// Not timed: throws Error (unavailable) where the device did not do it.
  virtual void confirm() {}
  /// Brings C to the root. Collective.
  virtual void collect() {}
  /// A row of C, on the root.
  virtual void read(std::int64_t row, std::span<double> values) const = 0;
  virtual RunFacts facts() const = 0;
};

/// A model's program for this workload.
struct Program : boltzmark::Program {
  /// The variant that runs when none is named.
  std::function<std::string(const Options&)> default_variant;
  /// Makes the multiplier for checked options. Throws Error (unavailable) where this machine cannot run it, Error
  /// (bad_input) for an option value that makes no sense.
  std::function<std::unique_ptr<Multiplier>(const Options&)> make;
};

/// The main of a model's program. Returns its exit status.
int run_program(int argc, char** argv, const Program& program);
/// The same for the ranks of a team.
int run_program(int argc, char** argv, const Program& program, Team& team);

}  // namespace boltzmark::matmul
