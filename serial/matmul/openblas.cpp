// OpenBLAS on one thread: the peer.
#include "common/matmul/cpu/openblas.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
class Peer : public OpenBlasPeer<T, HostMultiplier<T>> {};

}  // namespace

extern const matmul::Variant openblas = {.name = "openblas",
                                         .summary = "the library OpenBLAS on one thread: the peer",
                                         .role = Role::peer,
                                         .make = made_of<Multiplier, Peer>};

}  // namespace boltzmark::serial
