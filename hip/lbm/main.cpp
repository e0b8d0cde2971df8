#include "common/lbm/device/program.hpp"
#include "hip/runtime/api.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace lbm;
  device::use(hip::api());
  return run_program(
      argc, argv,
      device_program({&published, recorded(two_grid), recorded(in_place), recorded(time_block), &persistent}));
}
