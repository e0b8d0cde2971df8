// STREAM over ranks: each rank has a part of the arrays and runs every kernel on it with its threads, each of which has
// the same elements every time, those that it touched first; only the dot product needs a message.
#include <mpi.h>

#include "common/cpu/caches.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/stream/host_kernels.hpp"
#include "mpi/on_ranks.hpp"

namespace boltzmark::mpi {
using namespace stream;
namespace {

template <class T>
class MpiStream : public OnRanks<HostKernels<T>> {
 public:
  using OnRanks<HostKernels<T>>::OnRanks;

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
    arrays_ = Arrays<T>(of_rank(elements));
    on_parts([this](Range part) { arrays_.init(part); });
  }
  void copy() override {
    on_parts([this](Range part) { arrays_.copy(part); });
  }
  void mul() override {
    on_parts([this](Range part) { arrays_.mul(part); });
  }
  void add() override {
    on_parts([this](Range part) { arrays_.add(part); });
  }
  void triad() override {
    on_parts([this](Range part) { arrays_.triad(part); });
  }
  /// Added up in the order of the threads, then over the ranks.
  double dot() override {
    WorkerSums sums(threads_);
    on_threads(threads_, [&](int me) { *sums.start(me, 1) = arrays_.dot(part_of(me)); });
    double mine = 0.0, sum = 0.0;
    sums.add_up(1.0, {&mine, 1});
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  RunFacts facts() const override { return this->on_machine({.settings = {{"vvl", native_lanes<T>}}}); }

 private:
  using HostKernels<T>::arrays_, OnRanks<HostKernels<T>>::threads_, OnRanks<HostKernels<T>>::rank_,
      OnRanks<HostKernels<T>>::ranks_;

  std::int64_t of_rank(std::int64_t elements) const {
    return range_of_pages(elements, rank_, ranks_, sizeof(T)).size();
  }
  Range part_of(int thread) const { return range_of_pages(arrays_.size(), thread, threads_, sizeof(T)); }
  template <class Work>
  void on_parts(Work work) const {
    on_threads(threads_, [&](int me) { work(part_of(me)); });
  }
};

const stream::Variant plain = {.name = "plain",
                               .summary = "each kernel one loop over whole arrays",
                               .role = Role::like_for_like,
                               .make = made_of<Kernels, MpiStream>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks<stream::Variant>(argc, argv, "STREAM on the ranks of an MPI launcher (one rank without)",
                                           BOLTZMARK_BUILD_INFO, {plain}, nullptr, Tuned::no, {threads_option("1")});
}
