#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::stdpar {
extern const matmul::Variant textbook, packed;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cpu<matmul::Variant>(argc, argv, "stdpar",
                                     "Matrix multiplication in the parallel algorithms of standard C++",
                                     BOLTZMARK_BUILD_INFO, {textbook, packed}, "packed", Tuned::yes);
}
