// Packed: common/matmul/cpu/packed.hpp over threads. They pack a block of B together, which all of them read, and each
// has strips of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

inline void wait_for_all() {
#pragma omp barrier
}

struct InRegion {
  void operator()(int threads, const auto& part) const {
#pragma omp parallel num_threads(threads)
    part(number_in_team_of(threads), wait_for_all);
  }
};

template <class T, int lanes>
using PackedPanels = PackedTogether<T, lanes, InRegion>;

}  // namespace

extern const matmul::Variant packed =
    packed_of<PackedPanels>("packed panels and a micro-kernel in vector registers", start_workers);

}  // namespace boltzmark::openmp
