// Packed: blocks of A and B are copied into the order in which a micro-kernel in vector registers reads them, as
// libraries do it; common/matmul/cpu/packed.hpp draws the loops.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T, int lanes>
class PackedPanels : public PackedMultiplier<T, lanes, HostMultiplier<T>> {
 public:
  void multiply() override {
    this->multiply_part(0, [] {});
  }
};

}  // namespace

extern const matmul::Variant packed =
    like_for_like_of<Multiplier, PackedPanels>("packed", "packed panels and a micro-kernel in vector registers");

}  // namespace boltzmark::serial
