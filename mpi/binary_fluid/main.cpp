// binary-fluid-mpi: strips of layers over ranks, whose halos are exchanged; within a rank the layer's threads and
// vectors.
#include <mpi.h>

#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/binary_fluid/original.hpp"
#include "mpi/on_ranks.hpp"
#include "mpi/share.hpp"

namespace boltzmark::mpi {
namespace {
using namespace binary_fluid;

/// The collision of this rank's sites by one thread, as the code that targetDP began from has it; it needs nothing of
/// other ranks.
template <class T>
class Original final : public OriginalFluid<T> {
 public:
  explicit Original(const Options& asked) : OriginalFluid<T>(share_of_rank(asked.precision)) {}
};

std::unique_ptr<Fluid> make_layer(const Rung& rung, const Options& asked) {
  const int threads = threads_of_rank(asked.number("threads"));
  const target::Workers workers = {
      .count = threads, .run = [threads](const std::function<void(int)>& work) { on_threads(threads, work); }};
  return make_host_fluid(rung, asked.precision, workers, share_of_rank(asked.precision));
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
