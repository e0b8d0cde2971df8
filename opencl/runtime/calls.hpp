// OpenCL's calls with their failures as exceptions.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace boltzmark::opencl {

/// CL_PLATFORM_NOT_FOUND_KHR, the loader's word for "no driver installed".
inline constexpr cl_int platform_not_found = -1001;

/// The specification's name of a status, e.g. "CL_OUT_OF_RESOURCES".
std::string status_name(cl_int status);

/// Throws device::Failure unless the status is CL_SUCCESS; its line: "CL_OUT_OF_RESOURCES from clFinish", and its
/// meaning if users can do something about it.
void check(cl_int status, const char* call);

/// Calls that return a status, and calls that return an object and set the status through their last argument.
#define CHECKED(call, ...) check(call(__VA_ARGS__), #call)
#define MADE(call, ...)                                 \
  [&] {                                                 \
    cl_int call_status = CL_SUCCESS;                    \
    auto made_object = call(__VA_ARGS__, &call_status); \
    check(call_status, #call);                          \
    return made_object;                                 \
  }()

/// A device's handle.
inline cl_device_id id_of(const device::ComputeDevice& device) { return reinterpret_cast<cl_device_id>(device.handle); }

std::vector<device::ComputeDevice> find_devices();

}  // namespace boltzmark::opencl
