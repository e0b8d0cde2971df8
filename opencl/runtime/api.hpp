// The device API of the host code under opencl/, all of it in namespace boltzmark::BOLTZMARK_DEVICE_API: the OpenCL C++
// bindings as far as they are of OpenCL 1.2, failures as exceptions; or what the header BOLTZMARK_DEVICE_API_HEADER offers in
// their place, which are for the model cuda/ the same classes over CUDA's driver. So there is one host code for both.
#pragma once

#ifdef BOLTZMARK_DEVICE_API_HEADER
#include BOLTZMARK_DEVICE_API_HEADER
#else

#define BOLTZMARK_DEVICE_API opencl

// Some releases of opencl.hpp do not compile with a minimum of 1.2 and a higher target; nothing here needs
// more than 1.2.
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

// After what says which OpenCL it is for.
#include <CL/cl_half.h>

namespace boltzmark::opencl {
inline constexpr const char *model_name = "opencl", *api_name = "OpenCL",
                            *compiler_option_name = "cl-options",
                            *compiler_option_example = "-cl-fast-relaxed-math";
inline constexpr bool may_be_processor = true;  ///< a device
inline constexpr bool has_peer_memory = false;
inline constexpr bool has_cub = false;  ///< library_call.hpp
/// Memory of CL_MEM_ALLOC_HOST_PTR lies with the host: what a kernel writes there is there when the queue is done, and reading it is no
/// command. Of OpenCL each driver decides.
inline constexpr bool kernels_write_to_host = false;

/// Commands that come again and again; OpenCL has no other way than to enqueue them each time.
class Repeated {
 public:
  static constexpr bool is_recorded = false;
  static constexpr int most_commands = 4096;
  template <class Enqueue>
  void enqueue(cl::CommandQueue&, const Enqueue& enqueue_once) {
    enqueue_once();
  }
};

}  // namespace boltzmark::opencl
#endif
