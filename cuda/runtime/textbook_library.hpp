// What makes a variant of a textbook of CUDA, cuda/WORKLOAD/textbook.cu: nvcc compiles it when the program runs, and
// its extern "C" functions are called by name. All begin with a PREFIX and give nullptr or what went wrong, except
// PREFIX_destroy, which returns nothing. A library keeps its arrays in static variables, so that one object uses it at
// a time.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "common/device/device.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {

extern const std::string_view textbook_source;  ///< that of this program's workload

class TextbookLibrary {
 public:
  /// For the device and the precision that were asked for. Throws Error (unavailable) where there is no such device.
  TextbookLibrary(const Options& asked, std::string prefix);
  ~TextbookLibrary();
  TextbookLibrary(const TextbookLibrary&) = delete;
  TextbookLibrary& operator=(const TextbookLibrary&) = delete;

  /// Compiles `source`, with REAL and these definitions, for the device. Throws Error (unavailable) in one line where
  /// there is no nvcc.
  void load(std::string_view source, const std::string& defines = "");

  /// Calls PREFIX_`function`, whose parameters are of these types. Throws Error (unavailable) with what it says went
  /// wrong.
  template <class... Parameters>
  void call(const char* function, std::type_identity_t<Parameters>... arguments) const {
    expect_success(library_->function<const char*(Parameters...)>((prefix_ + function).c_str())(arguments...));
  }

  /// What the device has, in GiB, where that is less than `bytes`, the largest array of `largest`; "" where it is
  /// enough.
  std::string shortage(double bytes, double largest) const { return device::device_shortage(device_, bytes, largest); }
  std::uint64_t cache_bytes() const { return device_.cache_bytes; }
  RunFacts facts() const;

 private:
  static void expect_success(const char* failure);

  device::ComputeDevice device_;
  Options asked_;
  std::string prefix_;
  const NvccLibrary* library_ = nullptr;
};

/// The program with CUDA's own textbook, which takes the role from a variant whose kernels are OpenCL C.
template <class V>
ProgramOf<V> with_textbook(ProgramOf<V> program, const V& own) {
  for (V& variant : program.variants)
    if (variant.role == Role::textbook) variant.role = Role::other;
  program.variants.push_back(own);
  return program;
}

}  // namespace boltzmark::cuda
