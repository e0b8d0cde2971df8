// STREAM over ranks: each rank has a part of the arrays and runs every kernel on it with its threads, each of which has
// the same elements every time, those that it touched first, or with its device; only the dot product needs a message.
#include <mpi.h>

#include "common/cpu/caches.hpp"
#include "common/stream/device/program.hpp"
#include "common/stream/host_kernels.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
using namespace stream;
namespace {

double sum_over_ranks(double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

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
    const int used = neighbours.is_first() ? CPU_COUNT(&processors) : 0;
    Memory memory;
    MPI_Allreduce(&mine, &memory.cache_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&used, &memory.processors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return memory;
  }

  void init(std::int64_t elements) override {
    Host::init(range_of_pages(elements, this->rank_, this->ranks_, sizeof(T)).size());
  }
  double dot() override { return sum_over_ranks(Host::dot()); }
};

/// Each kernel is one launch on every rank's device.
class DeviceStream : public OnRankDevices<Kernels> {
 public:
  using OnRankDevices::OnRankDevices;

  /// The caches of all devices, each one's once; on processors they are the machine's.
  Memory memory() override {
    Memory memory = own_->memory();
    const std::uint64_t mine = Neighbours().rank() < devices_ ? memory.cache_bytes : 0;
    MPI_Allreduce(&mine, &memory.cache_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &memory.of_device, 1, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
    return memory;
  }
  void init(std::int64_t elements) override { own_->init(part_of_rank(elements).size()); }
  void copy() override { own_->copy(); }
  void mul() override { own_->mul(); }
  void add() override { own_->add(); }
  void triad() override { own_->triad(); }
  double dot() override { return sum_over_ranks(own_->dot()); }
  std::int64_t part() const override { return own_->part(); }
  void read(Array array, std::int64_t first, std::span<double> values) override { own_->read(array, first, values); }
};

const stream::Variant plain = like_for_like_of<Kernels, MpiStream>("plain", "each kernel one loop over whole arrays");

template <class T>
using NonTemporal = PastCaches<T, MpiStream<T>>;

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  constexpr const char* summary = "STREAM on the ranks of an MPI launcher (one rank without)";
  return run_on_local<stream::Variant>(
      argc, argv, "stream-mpi", summary, BOLTZMARK_BUILD_INFO,
      [] {
        return cpu_ranks<stream::Variant>(summary, {}, {plain, stream::past_caches<NonTemporal>()}, nullptr, Tuned::no,
                                          {threads_option("1")});
      },
      [] { return on_each_device<DeviceStream>(stream::device_program({})); });
}
