// The STREAM kernels on an offload device, behind plain functions. Read by the files with target regions, so
// it knows no library.
#pragma once

#include <cstdint>
#include <memory>

#include "openmp_target/runtime/launch.hpp"
#include "openmp_target/runtime/properties.hpp"

namespace boltzmark::openmp_target {

/// Three arrays on a device, allocated as long as this lives, and the target regions that work on them.
template <class T>
class DeviceKernels {
 public:
  virtual ~DeviceKernels() = default;
  virtual void init() = 0;   ///< start values, set by the threads that will use them
  virtual void copy() = 0;   ///< c = a
  virtual void mul() = 0;    ///< b = scalar * c
  virtual void add() = 0;    ///< c = a + b
  virtual void triad() = 0;  ///< a = b + scalar * c
  virtual double dot() = 0;  ///< sum of a * b
  /// Copies `count` values of an array (0, 1, 2: a, b, c) from number `first` and on to the host.
  virtual void read(int array, std::int64_t first, std::int64_t count, T* to) = 0;
  /// How the kernels but dot are launched.
  virtual Launch launch() const = 0;
  /// What the regions recorded so far, and how many there were.
  virtual LaunchRecord record() = 0;
  virtual std::int64_t regions() const = 0;
};

/// Values that one iteration of a kernel takes: a vector of the image for this kind of device.
template <class T>
int stream_lanes(const DeviceProperties& properties) {
  constexpr int gpu_bytes = 16;
  if (properties.is_gpu()) return gpu_bytes / static_cast<int>(sizeof(T));
  return sizeof(T) == sizeof(float) ? properties.lanes_f32 : properties.lanes_f64;
}

/// Allocates arrays of `elements` values. `launch` is for one vector per iteration. Null when the device has
/// too little memory.
template <class T>
std::unique_ptr<DeviceKernels<T>> allocate_stream(std::int64_t elements, Launch launch,
                                                  const DeviceProperties& properties);

}  // namespace boltzmark::openmp_target
