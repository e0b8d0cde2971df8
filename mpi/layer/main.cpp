// The program of each workload that is written once in common/target's layer: a share of its sites for each rank, whose
// halos are exchanged (mpi/share.hpp); within a rank the layer's threads and vectors.
#include "mpi/on_ranks.hpp"

#include "common/target/layer.hpp"
#include "mpi/share.hpp"

namespace boltzmark::mpi {
namespace {

std::unique_ptr<target::Run> make(const target::Rung& rung, const Options& asked) {
  const int threads = threads_of_rank(asked.number("threads"));
  const target::Workers workers = {
      .count = threads, .run = [threads](const std::function<void(int)>& work) { on_threads(threads, work); }};
  return target::make_host_run(rung, asked, workers, share_of_rank(asked.precision));
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_cpu_ranks(argc, argv, target::variants(mpi::make, {threads_option("1")}));
}
