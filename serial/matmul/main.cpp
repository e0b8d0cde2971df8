#include "common/matmul/multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook, ikj, blocked, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark::serial;
  return boltzmark::run_on_cpu(argc, argv, "serial", "on one core", {textbook, ikj, blocked, packed, openblas},
                               "packed");
}
