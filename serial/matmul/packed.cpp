// Packed: blocks of A and B are copied into the order in which a micro-kernel in vector registers reads them, as in
// libraries; the loops are drawn in common/matmul/cpu/packed.hpp.
//
//     tile of C in registers += strip of A * strip of B
#include "common/matmul/cpu/packed.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

struct Alone {
  void operator()(int, const auto& part) const {
    part(0, [] {});
  }
};

template <class T, int lanes>
using PackedPanels = PackedTogether<T, lanes, Alone>;

}  // namespace

extern const matmul::Variant packed =
    packed_of<PackedPanels>("packed panels and a micro-kernel in vector registers", one_worker);

}  // namespace boltzmark::serial
