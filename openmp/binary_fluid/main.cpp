// binary-fluid-openmp.
#include "common/binary_fluid/cpu/host_fluid.hpp"
#include "common/binary_fluid/original.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {
using namespace binary_fluid;

/// The collision of each site as the code that targetDP began from has it, in a parallel loop over the sites.
template <class T>
class Original final : public OnThreads<OriginalFluid<T>> {
 public:
  using OnThreads<OriginalFluid<T>>::OnThreads;

  void run() override {
    const auto sites = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp parallel for num_threads(this->threads_)
      for (std::int64_t i = 0; i < sites; ++i) this->collide(static_cast<std::size_t>(i));
    }
  }
};

/// In the layer, what a kernel does to the sites of a thread is common/binary_fluid's, and here are the threads.
/// target::HostTarget calls workers.run() for every launch.
std::unique_ptr<Fluid> make_layer(const Rung& rung, const Options& asked) {
  const int threads = start_threads(asked.number("threads"));
  target::Workers workers;
  workers.count = threads;
  workers.run = [threads](const std::function<void(int me)>& work) {
#pragma omp parallel num_threads(threads)
    work(omp_get_thread_num());
  };
  Share everything;
  everything.driver = runtime_name();
  return make_host_fluid(rung, asked.precision, workers, everything);
}

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads<binary_fluid::Variant>(
      argc, argv, "A binary fluid on the threads of one machine", BOLTZMARK_BUILD_INFO,
      variants_of(original_variant(made_of<Fluid, Original>), layer_variants(make_layer)), nullptr, Tuned::yes);
}
