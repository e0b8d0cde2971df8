// Packed: common/matmul/cpu/packed.hpp over threads. They pack a block of B together, which all read, and each has
// strips of rows of A and C.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

#include "common/run/vector_lengths.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

inline void wait_for_all() {
#pragma omp barrier
}

template <class T, int lanes>
class PackedPanels : public PackedMultiplier<T, lanes, OnThreads<HostMultiplier<T>>> {
 public:
  using PackedPanels::PackedMultiplier::PackedMultiplier;

  void multiply() override {
#pragma omp parallel num_threads(this->threads_)
    this->multiply_part(number_in_team_of(this->threads_), wait_for_all);
  }
};

}  // namespace

extern const matmul::Variant packed =
    like_for_like_of<Multiplier, PackedPanels>("packed", "packed panels and a micro-kernel in vector registers");

}  // namespace boltzmark::openmp
