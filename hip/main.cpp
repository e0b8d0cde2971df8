// The program of each workload whose host code is common/WORKLOAD/device's, or common/target's layer, on a device of
// HIP.
#include "hip/runtime/api.hpp"

#include DEVICE_PROGRAM

int main(int argc, char** argv) {
  using namespace boltzmark;
  device::use(hip::api());
  return run_program(argc, argv, DEVICE_NAMESPACE::device_program());
}
