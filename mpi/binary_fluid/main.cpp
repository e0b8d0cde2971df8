// binary-fluid-mpi: strips of layers over ranks, whose halos are exchanged; within a rank the layer's threads and
// vectors.
#include <mpi.h>

#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/binary_fluid/original.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {
namespace {
using namespace binary_fluid;

/// Some values of a whole layer; its address is that of the layer's first site.
OwnedType layer_type(const target::Lattice& lattice, unsigned long values, int value_bytes) {
  std::vector<MPI_Aint> at;
  for (int v = 0; v < populations; ++v)
    if (values >> v & 1) at.push_back(v * lattice.stride() * value_bytes);
  MPI_Datatype type;
  MPI_Type_create_hindexed_block(static_cast<int>(at.size()), lattice.layer_pitch(), at.data(),
                                 value_bytes == 8 ? MPI_DOUBLE : MPI_FLOAT, &type);
  return OwnedType(type);
}

/// What goes up fills the first layer of the rank above, what goes down the last one of the rank below.
void exchange_layers(int rank, int ranks, int value_bytes, void* field, const target::Lattice& lattice,
                     unsigned long up, unsigned long down) {
  const int below = (rank + ranks - 1) % ranks, above = (rank + 1) % ranks;
  const auto layer = [&](int z) {
    return static_cast<char*>(field) + std::ptrdiff_t{lattice.site(-1, -1, z)} * value_bytes;
  };
  const OwnedType going_up = layer_type(lattice, up, value_bytes), going_down = layer_type(lattice, down, value_bytes);
  MPI_Sendrecv(layer(lattice.nz() - 1), 1, going_up.type(), above, 0, layer(-1), 1, going_up.type(), below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(layer(0), 1, going_down.type(), below, 1, layer(lattice.nz()), 1, going_down.type(), above, 1,
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
    const MPI_Op op = reduce == target::Reduce::sum ? MPI_SUM : reduce == target::Reduce::least ? MPI_MIN : MPI_MAX;
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

/// The collision of this rank's sites by one thread, as the code that targetDP began from has it; it needs nothing of
/// other ranks.
template <class T>
class Original final : public OriginalFluid<T> {
 public:
  explicit Original(const Options& asked) : OriginalFluid<T>(share_of_rank(asked)) {}
};

std::unique_ptr<Fluid> make_layer(const Rung& rung, const Options& asked) {
  const int threads = threads_of_rank(asked.number("threads"));
  const target::Workers workers = {
      .count = threads, .run = [threads](const std::function<void(int)>& work) { on_threads(threads, work); }};
  return make_host_fluid(rung, asked.precision, workers, share_of_rank(asked));
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_cpu_ranks<binary_fluid::Variant>(
      argc, argv, "A binary fluid on the ranks of an MPI launcher (one rank without)", BOLTZMARK_BUILD_INFO,
      variants_of(original_variant(made_of<Fluid, Original>), layer_variants(make_layer, {threads_option("1")})),
      nullptr, Tuned::yes);
}
