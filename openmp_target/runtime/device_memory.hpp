// Memory on an offload device that regions reach by its address there: nothing is looked up or transferred
// when a region starts.
#pragma once

#include <omp.h>

#include <cstddef>
#include <cstdint>

#include "common/cpu/aligned.hpp"

namespace boltzmark::openmp_target {

/// `size` values of T on a device, as long as this lives; not initialised. Begins on a vector boundary of
/// every image. An array that the device had no memory for is false.
template <class T>
class DeviceArray {
 public:
  DeviceArray(std::int64_t size, int device)
      : size_(size),
        bytes_(static_cast<std::size_t>(size) * sizeof(T) + boundary),
        memory_(omp_target_alloc(bytes_, device)),
        device_(device) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() {
    if (memory_) omp_target_free(memory_, device_);
  }

  explicit operator bool() const { return memory_ != nullptr; }
  std::int64_t size() const { return size_; }
  /// For memory of a device that is this processor.
  void use_huge_pages() const { advise_huge_pages(memory_, bytes_); }

  /// The address on the device.
  T* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_);
    return reinterpret_cast<T*>((address + boundary - 1) / boundary * boundary);
  }
  /// Copies `count` values from the host, to number `first` and on.
  void write(std::int64_t first, std::int64_t count, const T* from) const {
    omp_target_memcpy(data(), const_cast<T*>(from), static_cast<std::size_t>(count) * sizeof(T),
                      static_cast<std::size_t>(first) * sizeof(T), 0, device_, omp_get_initial_device());
  }
  /// Copies `count` values from number `first` and on to the host.
  void read(std::int64_t first, std::int64_t count, T* to) const {
    omp_target_memcpy(to, data(), static_cast<std::size_t>(count) * sizeof(T), 0,
                      static_cast<std::size_t>(first) * sizeof(T), omp_get_initial_device(), device_);
  }

 private:
  static constexpr std::size_t boundary = 64;  ///< bytes: the widest vectors, and a cache line
  std::int64_t size_;
  std::size_t bytes_;
  void* memory_;
  int device_;
};

}  // namespace boltzmark::openmp_target
