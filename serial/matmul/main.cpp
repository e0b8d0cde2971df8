#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook, ikj, blocked, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu<matmul::Variant>(argc, argv, "serial", "Matrix multiplication on one core", BOLTZMARK_BUILD_INFO,
                                     {textbook, ikj, blocked, packed, openblas}, "packed", Tuned::yes);
}
