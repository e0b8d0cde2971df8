#include "opencl/runtime/calls.hpp"

#include <fmt/core.h>

#include "common/base/text.hpp"

namespace boltzmark::opencl {
namespace {

/// Not in the specification: the status of NVIDIA's driver after a fault in a kernel.
constexpr cl_int nvidia_bad_access = -9999;

/// The specification's names, without "CL_", of -1, -2 ..., and of errors of the caller, from -30 down.
constexpr const char* failures =
    "DEVICE_NOT_FOUND DEVICE_NOT_AVAILABLE COMPILER_NOT_AVAILABLE MEM_OBJECT_ALLOCATION_FAILURE OUT_OF_RESOURCES "
    "OUT_OF_HOST_MEMORY PROFILING_INFO_NOT_AVAILABLE MEM_COPY_OVERLAP IMAGE_FORMAT_MISMATCH "
    "IMAGE_FORMAT_NOT_SUPPORTED BUILD_PROGRAM_FAILURE MAP_FAILURE MISALIGNED_SUB_BUFFER_OFFSET "
    "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST COMPILE_PROGRAM_FAILURE LINKER_NOT_AVAILABLE LINK_PROGRAM_FAILURE "
    "DEVICE_PARTITION_FAILED KERNEL_ARG_INFO_NOT_AVAILABLE";
constexpr const char* mistakes =
    "INVALID_VALUE INVALID_DEVICE_TYPE INVALID_PLATFORM INVALID_DEVICE INVALID_CONTEXT INVALID_QUEUE_PROPERTIES "
    "INVALID_COMMAND_QUEUE INVALID_HOST_PTR INVALID_MEM_OBJECT INVALID_IMAGE_FORMAT_DESCRIPTOR INVALID_IMAGE_SIZE "
    "INVALID_SAMPLER INVALID_BINARY INVALID_BUILD_OPTIONS INVALID_PROGRAM INVALID_PROGRAM_EXECUTABLE "
    "INVALID_KERNEL_NAME INVALID_KERNEL_DEFINITION INVALID_KERNEL INVALID_ARG_INDEX INVALID_ARG_VALUE "
    "INVALID_ARG_SIZE INVALID_KERNEL_ARGS INVALID_WORK_DIMENSION INVALID_WORK_GROUP_SIZE INVALID_WORK_ITEM_SIZE "
    "INVALID_GLOBAL_OFFSET INVALID_EVENT_WAIT_LIST INVALID_EVENT INVALID_OPERATION INVALID_GL_OBJECT "
    "INVALID_BUFFER_SIZE INVALID_MIP_LEVEL INVALID_GLOBAL_WORK_SIZE INVALID_PROPERTY INVALID_IMAGE_DESCRIPTOR "
    "INVALID_COMPILER_OPTIONS INVALID_LINKER_OPTIONS INVALID_DEVICE_PARTITION_COUNT INVALID_PIPE_SIZE "
    "INVALID_DEVICE_QUEUE INVALID_SPEC_ID MAX_SIZE_RESTRICTION_EXCEEDED";
constexpr cl_int first_mistake = -30;

}  // namespace

std::string status_name(cl_int status) {
  const bool is_mistake = status <= first_mistake;
  const auto names = words_in(is_mistake ? mistakes : failures);
  const auto at = static_cast<std::size_t>((is_mistake ? first_mistake : -1) - status);
  if (at < names.size()) return "CL_" + names[at];
  return status == platform_not_found ? "CL_PLATFORM_NOT_FOUND_KHR" : fmt::format("status {}", status);
}

void check(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  using Kind = device::Failure::Kind;
  const bool is_out_of_memory =
      status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
  Kind kind = is_out_of_memory ? Kind::out_of_memory : Kind::other;
  const char* meaning = is_out_of_memory ? "; the device has too little memory left" : "";
  if (status == CL_DEVICE_NOT_AVAILABLE || status == CL_INVALID_COMMAND_QUEUE || status == CL_INVALID_CONTEXT)
    meaning = "; the device is lost: its driver ended the work or it was taken away, see the system's log";
  else if (status == nvidia_bad_access)
    meaning = "; the driver stopped a kernel that read or wrote outside its arrays";
  else if (status == CL_INVALID_WORK_GROUP_SIZE)
    kind = Kind::too_large_group;
  else if (status == CL_OUT_OF_RESOURCES) {
    kind = Kind::out_of_resources;
    meaning = "; the device has too little memory or too few registers left, or its driver stopped a kernel";
  }
  throw device::Failure(kind, status_name(status), fmt::format("{} from {}{}", status_name(status), call, meaning));
}

}  // namespace boltzmark::opencl
