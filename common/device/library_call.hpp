// A library's algorithm on a device's arrays: a peer of the kernels, such as CUB with CUDA (cuda/runtime/cub.hpp).
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "common/device/session.hpp"
#include "common/run/settings.hpp"

namespace boltzmark::device {

class LibraryCall {
 public:
  virtual ~LibraryCall() = default;
  /// Puts it into the session's queue. Throws Error (unavailable).
  virtual void enqueue() = 0;
  /// For the record: the library, and what it was compiled with.
  virtual Settings settings() const = 0;
};

/// What is called: `results` are made of the first `count` of `values`.
struct LibraryTask {
  std::string defines = "";  ///< "-D NAME=VALUE ...", as a shell reads it
  Buffer values, results;
  std::int64_t count = 0;
};

/// Compiles it and allocates what it needs besides the arrays. Throws Error (unavailable) in one line where it is not
/// installed. The session must outlive it.
using MakeLibraryCall =
    std::function<std::unique_ptr<LibraryCall>(Session& session, const BuildOptions& options, const LibraryTask& task)>;

/// The type of the values, and the narrowest that counts them: a library may have better code for it.
inline std::string library_defines(const std::string& type, std::int64_t count) {
  const bool is_long = count > std::numeric_limits<std::int32_t>::max();
  return fmt::format("-D \"BOLTZMARK_VALUE={}\" -D \"BOLTZMARK_COUNT={}\"", type, is_long ? "long long" : "int");
}

inline const char* number_type(Precision precision) { return precision == Precision::f64 ? "double" : "float"; }

/// The variant that is the library CUB: Made, constructed from options and `run`.
template <class V, class Made, class Run>
V library_variant(Run run) {
  return {.name = "cub",
          .summary = "the library CUB, compiled by the toolkit's nvcc: the peer",
          .role = Role::peer,
          .make = [run](const Options& asked) {
            refuse_for_library(asked, api().compiler_option);
            return std::make_unique<Made>(asked, run);
          }};
}

}  // namespace boltzmark::device
