// The program of matrix multiplication on devices.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/device/session.hpp"
#include "common/matmul/multiplier.hpp"

namespace boltzmark::matmul {

/// What A and B are rounded to, to nearest, for tensor cores; sums and C stay floats.
enum class Operands { as_they_are, tf32, f16, bf16 };
/// By --arithmetic, for tensor cores: tf32, f16 or bf16.
ModelOption arithmetic_option();
/// Of that option, as_they_are without it. Throws Error (bad_input) where it is given in double precision.
Operands operands_of(const Options& options);

/// A library, opened for a session and its precision, which must outlive it.
class PeerLibrary {
 public:
  virtual ~PeerLibrary() = default;
  /// Puts C = A B, row by row, into the session's queue. Throws Error (unavailable).
  virtual void enqueue(const Shape& shape, const device::Buffer& a, const device::Buffer& b,
                       const device::Buffer& c) = 0;
  /// "cuBLAS 13.0.2"
  virtual std::string name() const = 0;
  /// The format that tensor cores multiply, "" where they do not.
  virtual std::string tensor_cores() const { return ""; }
};

/// The library that is the peer with an API. It is opened when the program runs: nothing is needed to build.
struct Peer {
  std::string name, summary;  ///< of the variant
  /// Throws Error (unavailable) in one line where the library is not there.
  std::function<std::unique_ptr<PeerLibrary>(device::Session& session, const Options& options)> open;
  std::vector<ModelOption> options = {};
};

ProgramOf<Variant> device_program(const BuildInfo& build, const Peer& peer);

}  // namespace boltzmark::matmul
