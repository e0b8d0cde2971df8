// binary-fluid-mpi: slabs of layers over ranks, whose halos are exchanged; within a rank the layer's threads and vectors.
#include <mpi.h>

#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/binary_fluid/lattice.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/binary_fluid/original.hpp"
#include "mpi/library.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::mpi {
namespace {
using namespace binary_fluid;

/// Some values of a whole layer as one type of MPI; its address is that of the layer's first site.
class LayerType {
 public:
  LayerType(const target::Lattice& lattice, unsigned long values, int value_bytes) {
    const MPI_Datatype number = value_bytes == 8 ? MPI_DOUBLE : MPI_FLOAT;
    std::vector<MPI_Aint> at;
    for (int v = 0; v < populations; ++v)
      if (values >> v & 1) at.push_back(v * lattice.stride() * value_bytes);
    MPI_Type_create_hindexed_block(static_cast<int>(at.size()), lattice.layer_pitch(), at.data(), number,
                                   &type_);
    MPI_Type_commit(&type_);
  }
  ~LayerType() { MPI_Type_free(&type_); }
  LayerType(const LayerType&) = delete;
  LayerType& operator=(const LayerType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// What goes up fills the first layer of the rank above, what goes down the last one of the rank below.
void exchange_layers(int rank, int ranks, int value_bytes, void* field, const target::Lattice& lattice,
                     unsigned long up, unsigned long down) {
  const int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;
  const auto layer = [&](int z) {
    return static_cast<char*>(field) + std::ptrdiff_t{lattice.site(-1, -1, z)} * value_bytes;
  };
  const LayerType going_up(lattice, up, value_bytes), going_down(lattice, down, value_bytes);
  MPI_Sendrecv(layer(lattice.nz() - 1), 1, going_up.get(), above, 0, layer(-1), 1, going_up.get(), below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(layer(0), 1, going_down.get(), below, 1, layer(lattice.nz()), 1, going_down.get(), above, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

std::vector<double> collect_on_root(int rank, int ranks, const std::vector<double>& mine) {
  std::vector<double> all;
  if (rank != 0) {
    MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    return all;
  }
  all = mine;
  for (int other = 1; other < ranks; ++other) {
    MPI_Status status;
    int count = 0;
    MPI_Probe(other, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    const std::size_t before = all.size();
    all.resize(before + static_cast<std::size_t>(count));
    MPI_Recv(all.data() + before, count, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return all;
}

Share share_of_rank(const Options& options) {
  Share share;
  MPI_Comm_rank(MPI_COMM_WORLD, &share.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &share.ranks);
  const int rank = share.rank, ranks = share.ranks, value_bytes = bytes_of(options.precision);
  share.join = [](target::Reduce reduce, double mine) {
    const MPI_Op op = reduce == target::Reduce::sum     ? MPI_SUM
                      : reduce == target::Reduce::least ? MPI_MIN
                                                        : MPI_MAX;
    double all = 0.0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return all;
  };
  share.collect = [=](const std::vector<double>& mine) { return collect_on_root(rank, ranks, mine); };
  if (ranks > 1)
    share.exchange = [=](void* field, const target::Lattice& lattice, unsigned long up, unsigned long down) {
      exchange_layers(rank, ranks, value_bytes, field, lattice, up, down);
    };
  share.shortage = [=](double bytes) { return shortage_of_ranks(static_cast<std::uint64_t>(bytes / ranks)); };
  share.driver = library_version();
  return share;
}

binary_fluid::Program make_program() {
  binary_fluid::Program program;
  program.model = "mpi";
  program.summary = "A binary fluid on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "original",
       .summary = "the collision with matrices, loops over 19 and 3 within a site; one thread",
       .role = Role::textbook,
       .kinds = {"collision"}}};
  for (const Variant& variant : layer_variants({"threads"})) program.variants.push_back(variant);
  ModelOption threads = threads_option("1");
  threads.in_every_variant = false;  // a rank of the original has one
  program.options = {threads, target::vvl_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  program.make = [](const Options& options) {
    const Share share = share_of_rank(options);
    if (options.variant == "original") return make_original(options.precision, share);
    const openmp::ThreadTeam team(threads_of_rank(options.number("threads")));
    return make_host_fluid(
        options,
        {.count = team.size(), .run = [team](const std::function<void(int)>& work) { team.run(work); }},
        share);
  };
  return program;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_ranks(argc, argv, [&](Team& team) {
    return binary_fluid::run_program(argc, argv, mpi::make_program(), team);
  });
}
