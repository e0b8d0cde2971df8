// CUDA C++ of this project that only the toolkit's compiler can compile, for it uses the toolkit's own headers: made
// into a shared library when the program runs, and kept as kernels are (common/device/kernel_cache.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "cuda/runtime/toolkit.hpp"

namespace boltzmark::cuda {

/// Of PATH, or else of the toolkit; "" if there is none.
std::filesystem::path find_nvcc();

class NvccLibrary {
 public:
  /// Loads what `options` make of `source` for the device, compiled before or now. Throws Error (unavailable) in one
  /// line that begins with `user` where there is no nvcc or it cannot compile this.
  NvccLibrary(const char* user, std::string_view source, const std::string& options,
              const device::ComputeDevice& device, bool is_kept);

  /// Throws Error (unavailable) where there is none of this name.
  template <class Function>
  Function* function(const char* name) const {
    Function* found = nullptr;
    find_function(user_, library_, name, found);
    return found;
  }
  /// "nvcc 13.0"
  const std::string& compiler() const { return compiler_; }
  /// "hit", "miss", "miss, not stored" or "off"
  const std::string& cache_use() const { return cache_use_; }

 private:
  const char* user_;
  void* library_ = nullptr;  ///< open to the end
  std::string compiler_, cache_use_;
};

}  // namespace boltzmark::cuda
