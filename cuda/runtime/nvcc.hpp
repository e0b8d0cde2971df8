// CUDA C++ of this project that only the toolkit's compiler can compile, because it uses the toolkit's headers:
// compiled to a shared library when the program runs, and cached like kernels (common/device/kernel_cache.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/device/array_program.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

/// nvcc of PATH, or else of the toolkit; "" if there is none.
std::filesystem::path find_nvcc();

class NvccLibrary {
 public:
  /// Loads `source`, compiled with `options` for the device, from the cache or newly compiled. Throws Error
  /// (unavailable), in one line that begins with `user`, if nvcc is missing or fails.
  NvccLibrary(const char* user, std::string_view source, const std::string& options,
              const device::ComputeDevice& device, bool is_kept);

  /// Throws Error (unavailable) if there is no function of this name.
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

// CUB, the algorithms of CUDA's toolkit, as a peer. A source for it has, as C functions,
//
//     int run(void* scratch, size_t* scratch_bytes, const void* values, void* results, long long count, void* stream);
//         without scratch: returns the bytes needed; else enqueues the algorithm in the stream. Returns CUDA's status.
//     const char* name_of(int status);
//     int version();      CUB_VERSION
//
// The CUDA runtime in it works in the current context, the session's, on its arrays and stream.
device::MakeLibraryCall cub_call(std::string_view source);

// Makes a CUDA textbook, cuda/WORKLOAD/textbook.cu, a variant: nvcc compiles it when the program runs, and its extern
// "C" functions are called by name. All begin with a PREFIX and return nullptr or a text that describes the failure,
// except PREFIX_destroy, which returns nothing. A library keeps its arrays in static variables, so that one object uses
// it at a time.
extern const std::string_view textbook_source;  ///< that of this program's workload

class TextbookLibrary {
 public:
  /// For the requested device and precision. Throws Error (unavailable) if there is no such device.
  TextbookLibrary(const Options& asked, std::string prefix);
  ~TextbookLibrary();
  TextbookLibrary(const TextbookLibrary&) = delete;
  TextbookLibrary& operator=(const TextbookLibrary&) = delete;

  /// Compiles `source` with REAL and these definitions. Throws Error (unavailable) in one line without nvcc.
  void load(std::string_view source, const std::string& defines = "");

  /// Calls PREFIX_`function` with parameters of these types. Throws Error (unavailable) with the failure it returns.
  template <class... Parameters>
  void call(const char* function, std::type_identity_t<Parameters>... arguments) const {
    expect_success(library_->function<const char*(Parameters...)>((prefix_ + function).c_str())(arguments...));
  }

  /// The memory found, in GiB, if it is less than `bytes`, the largest array of `largest`; "" if enough.
  std::string shortage(double bytes, double largest) const { return device::device_shortage(device_, bytes, largest); }
  std::uint64_t cache_bytes() const { return device_.cache_bytes; }
  RunFacts facts(double bytes_per_update = 0.0) const;

 private:
  static void expect_success(const char* failure);

  device::ComputeDevice device_;
  Options asked_;
  std::string prefix_;
  const NvccLibrary* library_ = nullptr;
};

/// The program with CUDA's own textbook, which takes the role of textbook from a variant with OpenCL C kernels.
inline Program with_textbook(Program program, const Variant& own) {
  program.variants = changed(program.variants, [](Variant& variant) {
    if (variant.role == Role::textbook) variant.role = Role::other;
  });
  program.variants.push_back(&own);
  return program;
}

}  // namespace boltzmark::cuda
