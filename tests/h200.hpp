// A device that tests of plans for work-groups suppose.
#pragma once

#include "common/device/device.hpp"

namespace boltzmark::testing {

/// An H200 as NVIDIA's driver 580 describes it (through CUDA where that gives more than OpenCL), and known facts of its
/// compute capability.
inline device::ComputeDevice h200() {
  device::ComputeDevice made;
  made.type = device::DeviceType::gpu;
  made.name = "NVIDIA H200";
  made.units = 132;
  made.local_bytes = 48 << 10;
  made.max_work_group = made.max_work_group_x = made.max_work_group_y = 1024;
  made.max_work_group_z = 64;
  made.sub_groups = device::SubGroups::warps;
  made.sub_group_size = 32;
  made.architecture = "sm_90";
  made.capability = 90;
  made.unit_local_bytes = 228 << 10;
  made.unit_items = 2048;
  return made;
}

}  // namespace boltzmark::testing
