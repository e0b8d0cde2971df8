// STREAM over ranks: each rank owns a stretch of the arrays and runs every kernel on it with its threads;
// only the dot product needs a message.
#include <mpi.h>

#include "common/cpu/caches.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/library.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"
#include "openmp/stream/threaded_kernels.hpp"

namespace boltzmark::mpi {
using namespace stream;
namespace {

template <class T>
class MpiStream : public openmp::ThreadedKernels<T> {
 public:
  explicit MpiStream(std::optional<int> threads) : openmp::ThreadedKernels<T>(threads_of_rank(threads)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  /// The caches of all machines, each machine's once.
  Memory memory() override {
    const Neighbours neighbours;
    const cpu_set_t processors = neighbours.processors();
    const std::uint64_t mine = neighbours.is_first() ? last_level_cache_bytes(processors) : 0;
    Memory memory;
    MPI_Allreduce(&mine, &memory.cache_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return memory;
  }

  std::string shortage(std::int64_t elements) override {
    return shortage_of_ranks(HostKernels<T>::bytes_of_three(stretch(elements).size()));
  }

  void init(std::int64_t elements) override { this->make_arrays(stretch(elements).size()); }
  double dot() override {
    double sum = 0.0;
    const double of_mine = this->dot_here();
    MPI_Allreduce(&of_mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  RunFacts facts() const override {
    return {.device = cpu_name(),
            .driver = library_version(),
            .threads = this->threads(),
            .ranks = ranks_,
            .settings = {{"vector_lanes", native_lanes<T>}}};
  }

 private:
  Stretch stretch(std::int64_t elements) const { return stretch_of(elements, rank_, ranks_, sizeof(T)); }

  int rank_ = 0, ranks_ = 1;
};

stream::Program make_program() {
  stream::Program program;
  program.model = "mpi";
  program.summary = "STREAM on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {stream::plain_variant};
  program.options = {threads_option("1")};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  program.make = [](const Options& options) -> std::unique_ptr<Kernels> {
    const auto threads = options.number("threads");
    if (options.precision == Precision::f64) return std::make_unique<MpiStream<double>>(threads);
    return std::make_unique<MpiStream<float>>(threads);
  };
  return program;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_ranks(
      argc, argv, [&](Team& team) { return stream::run_program(argc, argv, mpi::make_program(), team); });
}
