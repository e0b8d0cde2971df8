#include "kokkos/on_space.hpp"

#include "common/lbm/solver.hpp"

namespace boltzmark::kokkos {
extern const lbm::Variant textbook, fused, in_place;  // each in the file of its name
}

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space<lbm::Variant>(argc, argv, "D2Q9 and D3Q19 BGK lattice Boltzmann in Kokkos", BOLTZMARK_BUILD_INFO,
                                    {textbook, fused, in_place}, "fused");
}
