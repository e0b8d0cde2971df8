// A library's algorithm on a device's arrays, where the API has such a library: CUB with CUDA (cuda/runtime/cub.hpp).
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "common/run/settings.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

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
  std::string_view source;   ///< CUDA C++ with the function that cuda/runtime/cub.hpp describes
  std::string defines = "";  ///< "-D NAME=VALUE ...", as a shell reads it
  cl::Buffer values, results;
  std::int64_t count = 0;
};

/// The type of the values, and the narrowest that counts them: a library may have better code for it.
inline std::string library_defines(const std::string& type, std::int64_t count) {
  const bool is_long = count > std::numeric_limits<std::int32_t>::max();
  return fmt::format("-D \"BOLTZMARK_VALUE={}\" -D \"BOLTZMARK_COUNT={}\"", type,
                     is_long ? "long long" : "int");
}

/// Compiles it and allocates what it needs beside the arrays. Only where there is a library (has_cub). Throws Error
/// (unavailable) in one line where it is not installed. The session must outlive it.
std::unique_ptr<LibraryCall> make_library_call(Session& session, const BuildOptions& options,
                                               const LibraryTask& task);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
