// The STREAM kernels on an offload device, behind plain functions, like kernels.hpp.
#pragma once

#include <cstdint>
#include <memory>

#include "openmp_target/lbm/kernels.hpp"

namespace boltzmark::openmp_target {

/// Three arrays on a device, allocated as long as this lives, and the target regions that work on them.
template <class T>
class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
  virtual void init() = 0;   ///< start values, set by the threads that will use them
  virtual void copy() = 0;   ///< c = a
  virtual void mul() = 0;    ///< b = stream_scalar * c
  virtual void add() = 0;    ///< c = a + b
  virtual void triad() = 0;  ///< a = b + stream_scalar * c
  virtual double dot() = 0;  ///< sum of a * b
  /// Copies `count` values of an array (0, 1, 2: a, b, c) from `first` on to the host.
  virtual void read(int array, std::int64_t first, std::int64_t count, T* to) = 0;
  /// How the kernels but dot are launched.
  virtual Launch launch() const = 0;
  /// What the regions so far tell of themselves, and how many there were.
  virtual Witness witness() = 0;
  virtual std::int64_t regions() const = 0;
};

/// Values that one iteration of a kernel takes: a vector of the image for this kind of device.
template <class T>
int stream_lanes(const Surroundings& inside) {
  constexpr int gpu_bytes = 16;
  if (inside.is_gpu()) return gpu_bytes / static_cast<int>(sizeof(T));
  return sizeof(T) == sizeof(float) ? inside.lanes_f32 : inside.lanes_f64;
}

/// Allocates arrays of `elements` values. `launch` is for one iteration a vector. Nullptr when the device has
/// too little memory.
template <class T>
std::unique_ptr<DeviceStream<T>> allocate_stream(std::int64_t elements, Launch launch,
                                                 const Surroundings& inside);

}  // namespace boltzmark::openmp_target
