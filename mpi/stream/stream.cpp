// STREAM over ranks: each rank has a part of the arrays and runs every kernel on it with its device or its threads,
// each of which has the same elements every time, those that it touched first; only the dot product needs a message.
#include <mpi.h>

#include "common/cpu/processors.hpp"
#include "common/stream/array_kernels.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace stream;
namespace {

template <class T>
struct Plain : InParts<T> {
  static double dot(const Arrays<T>& at, const Workers& workers) {
    return over_ranks(InParts<T>::dot(at, workers), MPI_SUM);
  }
};

/// The caches of all machines, each counted once.
Memory memory_of_all(const Workers&) {
  const Neighbours neighbours;
  const cpu_set_t processors = neighbours.processors();
  const bool counts = neighbours.is_first();
  return {.cache_bytes = over_ranks(counts ? last_level_cache_bytes(processors) : 0, MPI_SUM),
          .processors = over_ranks(counts ? CPU_COUNT(&processors) : 0, MPI_SUM)};
}

/// Each kernel is one launch on every rank's device.
class DeviceStream : public OnRankDevices<Kernels> {
 public:
  using OnRankDevices::OnRankDevices;

  /// The caches of all devices, each counted once; for processors those of the machine.
  Memory memory() override {
    Memory memory = own_->memory();
    memory.cache_bytes = over_ranks(Neighbours().rank() < devices_ ? memory.cache_bytes : 0, MPI_SUM);
    memory.of_device = over_ranks(memory.of_device, MPI_LAND);
    return memory;
  }
  void init(std::int64_t elements) override { own_->init(part_of_rank(elements).size()); }
  void copy() override { own_->copy(); }
  void mul() override { own_->mul(); }
  void add() override { own_->add(); }
  void triad() override { own_->triad(); }
  double dot() override { return over_ranks(own_->dot(), MPI_SUM); }
  std::int64_t part() const override { return own_->part(); }
  void read(Array array, std::int64_t first, std::span<double> values) override { own_->read(array, first, values); }
};

const stream::Variant plain =
    like_for_like_of("plain", "each kernel one loop over whole arrays", by<Plain>(start_workers, memory_of_all));
const stream::Variant nt = past_caches<Plain>(start_workers, memory_of_all);

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "stream-mpi",
      [] {
        return cpu_ranks(stream::workload, {&plain, &nt}, nullptr, {threads_option("1")});
      },
      [] { return on_each_device<DeviceStream>(stream::device_program()); });
}
