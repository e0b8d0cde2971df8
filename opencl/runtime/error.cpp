#include "opencl/runtime/calls.hpp"

#include <fmt/core.h>

#include <array>

namespace boltzmark::opencl {
namespace {

/// Not in the specification: what NVIDIA's driver answers after a fault in a kernel.
constexpr cl_int nvidia_bad_access = -9999;

struct Status {
  cl_int value;
  const char* name;
};

#define STATUS(name) \
  Status { name, #name }
constexpr std::array statuses = {
    STATUS(CL_DEVICE_NOT_FOUND),
    STATUS(CL_DEVICE_NOT_AVAILABLE),
    STATUS(CL_COMPILER_NOT_AVAILABLE),
    STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    STATUS(CL_OUT_OF_RESOURCES),
    STATUS(CL_OUT_OF_HOST_MEMORY),
    STATUS(CL_PROFILING_INFO_NOT_AVAILABLE),
    STATUS(CL_MEM_COPY_OVERLAP),
    STATUS(CL_BUILD_PROGRAM_FAILURE),
    STATUS(CL_MAP_FAILURE),
    STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    STATUS(CL_COMPILE_PROGRAM_FAILURE),
    STATUS(CL_LINKER_NOT_AVAILABLE),
    STATUS(CL_LINK_PROGRAM_FAILURE),
    STATUS(CL_DEVICE_PARTITION_FAILED),
    STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    STATUS(CL_INVALID_VALUE),
    STATUS(CL_INVALID_DEVICE_TYPE),
    STATUS(CL_INVALID_PLATFORM),
    STATUS(CL_INVALID_DEVICE),
    STATUS(CL_INVALID_CONTEXT),
    STATUS(CL_INVALID_QUEUE_PROPERTIES),
    STATUS(CL_INVALID_COMMAND_QUEUE),
    STATUS(CL_INVALID_HOST_PTR),
    STATUS(CL_INVALID_MEM_OBJECT),
    STATUS(CL_INVALID_BINARY),
    STATUS(CL_INVALID_BUILD_OPTIONS),
    STATUS(CL_INVALID_PROGRAM),
    STATUS(CL_INVALID_PROGRAM_EXECUTABLE),
    STATUS(CL_INVALID_KERNEL_NAME),
    STATUS(CL_INVALID_KERNEL_DEFINITION),
    STATUS(CL_INVALID_KERNEL),
    STATUS(CL_INVALID_ARG_INDEX),
    STATUS(CL_INVALID_ARG_VALUE),
    STATUS(CL_INVALID_ARG_SIZE),
    STATUS(CL_INVALID_KERNEL_ARGS),
    STATUS(CL_INVALID_WORK_DIMENSION),
    STATUS(CL_INVALID_WORK_GROUP_SIZE),
    STATUS(CL_INVALID_WORK_ITEM_SIZE),
    STATUS(CL_INVALID_GLOBAL_OFFSET),
    STATUS(CL_INVALID_EVENT_WAIT_LIST),
    STATUS(CL_INVALID_EVENT),
    STATUS(CL_INVALID_OPERATION),
    STATUS(CL_INVALID_BUFFER_SIZE),
    STATUS(CL_INVALID_GLOBAL_WORK_SIZE),
    STATUS(CL_INVALID_PROPERTY),
    STATUS(CL_INVALID_COMPILER_OPTIONS),
    STATUS(CL_INVALID_LINKER_OPTIONS),
    Status{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef STATUS

}  // namespace

std::string status_name(cl_int status) {
  for (const auto& known : statuses)
    if (known.value == status) return known.name;
  return fmt::format("status {}", status);
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
