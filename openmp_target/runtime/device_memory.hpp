// Memory on an offload device, used by address: nothing is looked up or transferred when a region starts.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/aligned.hpp"

// A function of LLVM's runtime; null in others.
extern "C" [[gnu::weak]] void* llvm_omp_target_alloc_shared(std::size_t bytes, int device);

namespace boltzmark::openmp_target {

/// Whether arrays are in managed memory (--memory managed of this process).
inline bool memory_is_managed = false;

/// `size` values of T on a device, not initialised; freed with this. Begins on a vector boundary of every image.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  /// Throws Error (unavailable) if the device has too little memory.
  DeviceArray(std::int64_t size, int device)
      : size_(size), device_(device), memory_(allocated(bytes(), device), Free{device}) {
    if (!memory_)
      throw unavailable("offload device {}: expected {:.3g} GiB of memory more, found less", device,
                        static_cast<double>(bytes()) / (1 << 30));
  }

  std::int64_t size() const { return size_; }
  /// For memory of a device that is this processor.
  void use_huge_pages() const { advise_huge_pages(memory_.get(), bytes()); }

  /// The address on the device.
  T* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return reinterpret_cast<T*>((address + boundary - 1) / boundary * boundary);
  }
  /// Copies `count` values from the host, to number `first` and on.
  void write(std::int64_t first, std::int64_t count, const T* from) const {
    omp_target_memcpy(data(), const_cast<T*>(from), static_cast<std::size_t>(count) * sizeof(T),
                      static_cast<std::size_t>(first) * sizeof(T), 0, device_, omp_get_initial_device());
  }
  void write(const std::vector<T>& from) const { write(0, static_cast<std::int64_t>(from.size()), from.data()); }
  /// Copies `count` values from number `first` and on to the host.
  void read(std::int64_t first, std::int64_t count, T* to) const {
    omp_target_memcpy(to, data(), static_cast<std::size_t>(count) * sizeof(T), 0,
                      static_cast<std::size_t>(first) * sizeof(T), omp_get_initial_device(), device_);
  }
  /// The same as doubles.
  void read_as_doubles(std::int64_t first, std::span<double> to) const {
    std::vector<T> values(to.size());
    read(first, static_cast<std::int64_t>(values.size()), values.data());
    std::copy(values.begin(), values.end(), to.begin());
  }
  /// Sets all bits of all values (spoiled_word of common/run/program.hpp).
  void spoil() const {
    const std::size_t of_block = std::min<std::size_t>(bytes() - boundary, std::size_t{1} << 22);
    const std::vector<unsigned char> ones(of_block, 0xff);
    for (std::size_t first = 0; first + boundary < bytes(); first += of_block)
      omp_target_memcpy(data(), const_cast<unsigned char*>(ones.data()), std::min(of_block, bytes() - boundary - first),
                        first, 0, device_, omp_get_initial_device());
  }

 private:
  static void* allocated(std::size_t bytes, int device) {
    return memory_is_managed ? llvm_omp_target_alloc_shared(bytes, device) : omp_target_alloc(bytes, device);
  }
  static constexpr std::size_t boundary = 64;  ///< bytes: the widest vectors, and a cache line
  struct Free {
    int device = 0;
    void operator()(void* memory) const { omp_target_free(memory, device); }
  };
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T) + boundary; }

  std::int64_t size_ = 0;
  int device_ = 0;
  std::unique_ptr<void, Free> memory_;
};

/// An array of its values on a device.
template <class T>
DeviceArray<T> on_device(const std::vector<T>& values, int device) {
  DeviceArray<T> array(static_cast<std::int64_t>(values.size()), device);
  array.write(values);
  return array;
}

}  // namespace boltzmark::openmp_target
