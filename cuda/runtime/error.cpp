#include "opencl/runtime/error.hpp"

#include <fmt/core.h>

namespace boltzmark::cuda {

std::string status_name(cl_int status) {
  const char* name = nullptr;
  if (driver().cuGetErrorName(status, &name) == success && name) return name;
  return fmt::format("status {}", status);
}

bool is_out_of_memory(cl_int status) { return status == out_of_memory; }

bool is_too_large_a_group(cl_int status) {
  return status == launch_out_of_resources || status == invalid_value;
}

std::string failure_words(const cl::Error& error) {
  constexpr cl_int misaligned_address = 716, launch_failed = 719, device_lost = 46, hardware_error = 714;
  const cl_int status = error.err();
  const char* meaning = "";
  if (status == illegal_address || status == misaligned_address || status == launch_failed)
    meaning = "; the driver stopped a kernel that read or wrote outside its arrays";
  else if (status == launch_out_of_resources)
    meaning = "; the device has too few registers or too little shared memory for such groups";
  else if (status == device_lost || status == hardware_error)
    meaning = "; the device is lost, see the system's log";
  else if (is_out_of_memory(status))
    meaning = "; the device has too little memory left";
  return fmt::format("{} from {}{}", status_name(status), error.what(), meaning);
}

}  // namespace boltzmark::cuda
