#include "common/matmul/multiplier.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
extern const matmul::Variant textbook, packed;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, matmul::workload, {&textbook, &packed}, "packed");
}
