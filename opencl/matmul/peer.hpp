// The library that is the peer on a device: CLBlast (clblast.cpp), with CUDA cuBLAS (cuda/matmul/cublas.cpp). It is opened
// when the program runs, so that nobody needs it to build.
#pragma once

#include <memory>
#include <string>

#include "common/matmul/multiplier.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace matmul;

/// As a variant of the program's.
Variant peer_variant();

class PeerLibrary {
 public:
  virtual ~PeerLibrary() = default;
  /// Puts C = A B, row by row, into the session's queue. Throws Error (unavailable).
  virtual void enqueue(const Shape& shape, const cl::Buffer& a, const cl::Buffer& b, const cl::Buffer& c) = 0;
  /// "cuBLAS 13.0.2"
  virtual std::string name() const = 0;
};

/// Throws Error (unavailable) in one line where the library is not there. The session must outlive it.
std::unique_ptr<PeerLibrary> open_peer(Session& session, Precision precision);

/// The whole variant, on the device that the options name. Throws Error as what they name.
std::unique_ptr<Multiplier> make_peer(const Options& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
