#include "common/matmul/multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const matmul::Variant textbook, packed, openblas;
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, matmul::workload, {&textbook, &packed, &openblas}, "packed");
}
