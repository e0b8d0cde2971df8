// OpenBLAS on as many threads: the peer. Its threads are its own; OpenMP's only fill the matrices.
#include "common/matmul/cpu/openblas.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

template <class T>
class Peer : public OpenBlasPeer<T, OnThreads<HostMultiplier<T>>> {
 public:
  explicit Peer(const Options& asked) : Peer::OpenBlasPeer(asked, Unbound{}) {}
};

}  // namespace

extern const matmul::Variant openblas = {.name = "openblas",
                                         .summary = "the library OpenBLAS on as many threads: the peer",
                                         .role = Role::peer,
                                         .make = made_of<Multiplier, Peer>};

}  // namespace boltzmark::openmp
