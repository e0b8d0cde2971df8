#include "common/heat/cpu/wavefront.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const heat::Variant textbook, swapped, vectors;
const heat::Variant wavefront = heat::wavefront_of(start_workers);
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, heat::workload, {&textbook, &swapped, &vectors, &wavefront}, "wavefront");
}
