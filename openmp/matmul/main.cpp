// matmul-openmp: matrix multiplication on the threads of one machine.
#include "common/matmul/cpu/openblas.hpp"
#include "common/matmul/cpu/packed.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
extern const matmul::Variant textbook;
namespace {
using namespace matmul;

// Packed: common/matmul/cpu/packed.hpp over threads. They pack a block of B together, which all of them read, and each
// has strips of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
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

const matmul::Variant packed =
    packed_of<PackedPanels>("packed panels and a micro-kernel in vector registers", start_workers);
// The library's threads would start on the processor of the calling thread.
const matmul::Variant openblas =
    matmul::openblas_of("the library OpenBLAS on as many threads (peer)", start_unbound_workers);

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, matmul::workload, {&textbook, &packed, &openblas}, "packed");
}
