// STREAM over ranks: each rank has a part of the arrays and runs every kernel on it with its threads, each of which has
// the same elements every time, those that it touched first; only the dot product needs a message.
#include <mpi.h>

#include "common/cpu/caches.hpp"
#include "common/stream/host_kernels.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
using namespace stream;
namespace {

template <class T>
class MpiStream : public OnRanks<HostKernels<T>> {
 public:
  using Host = OnRanks<HostKernels<T>>;
  using Host::Host;

  /// The caches of all machines, each machine's once.
  Memory memory() override {
    const Neighbours neighbours;
    const cpu_set_t processors = neighbours.processors();
    const std::uint64_t mine = neighbours.is_first() ? last_level_cache_bytes(processors) : 0;
    Memory memory;
    MPI_Allreduce(&mine, &memory.cache_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return memory;
  }

  void init(std::int64_t elements) override {
    Host::init(range_of_pages(elements, this->rank_, this->ranks_, sizeof(T)).size());
  }
  double dot() override {
    double sum = Host::dot();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
};

const stream::Variant plain = {.name = "plain",
                               .summary = "each kernel one loop over whole arrays",
                               .role = Role::like_for_like,
                               .make = made_of<Kernels, MpiStream>};

template <class T>
using NonTemporal = PastCaches<T, MpiStream<T>>;

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks<stream::Variant>(argc, argv, "STREAM on the ranks of an MPI launcher (one rank without)",
                                           BOLTZMARK_BUILD_INFO, {plain, stream::past_caches<NonTemporal>()}, nullptr,
                                           Tuned::no, {threads_option("1")});
}
