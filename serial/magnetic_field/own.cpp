// OpenBLAS on one thread: the peer.
#include "common/magnetic_field/openblas.hpp"

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {magnetic_field::openblas([](const Options&) { return Workers(); })};
}
