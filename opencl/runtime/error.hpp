// Failures of the device API in the suite's form: one line that says what was being done and the status by name.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "common/base/error.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// The name that OpenCL's or CUDA's specification gives a status, e.g. "CL_OUT_OF_RESOURCES".
std::string status_name(cl_int status);

/// True for the statuses by which a device says that its memory is not enough.
bool is_out_of_memory(cl_int status);

/// True for those of a launch in groups that the device cannot run.
bool is_too_large_a_group(cl_int status);

/// "CL_OUT_OF_RESOURCES from clFinish", and what that means where users could do something about it.
std::string failure_words(const cl::Error& error);

/// Runs `work` and returns what it returns. A failure of the API in it becomes Error (unavailable): "cannot
/// DOING: " and failure_words().
template <class Work>
decltype(auto) attempt(std::string_view doing, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const cl::Error& error) {
    throw unavailable("cannot {}: {}", doing, failure_words(error));
  }
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
