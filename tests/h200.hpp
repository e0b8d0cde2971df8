// A device that tests of plans for work-groups suppose.
#pragma once

#include "opencl/runtime/device.hpp"

namespace boltzmark::testing {

/// What NVIDIA's driver 580 says of an H200 (through CUDA, where that is more than OpenCL gives), and what is known of its compute capability.
inline BOLTZMARK_DEVICE_API::ComputeDevice h200() {
  BOLTZMARK_DEVICE_API::ComputeDevice device;
  device.type = BOLTZMARK_DEVICE_API::DeviceType::gpu;
  device.name = "NVIDIA H200";
  device.units = 132;
  device.local_bytes = 48 << 10;
  device.max_work_group = device.max_work_group_x = device.max_work_group_y = 1024;
  device.max_work_group_z = 64;
  device.sub_groups = BOLTZMARK_DEVICE_API::SubGroups::warps;
  device.sub_group_size = 32;
  device.architecture = "sm_90";
  device.capability = 90;
  device.unit_local_bytes = 228 << 10;
  device.unit_items = 2048;
  return device;
}

}  // namespace boltzmark::testing
