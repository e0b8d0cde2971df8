// Original: the collision of each site, as in the code from which targetDP started, in a parallel loop over the sites.
#include "common/binary_fluid/original.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Original final : public binary_fluid::OriginalFluid<T> {
 public:
  explicit Original(const Options& asked) : binary_fluid::OriginalFluid<T>(start_workers(asked)) {}

  void run() override {
    const auto sites = static_cast<std::int64_t>(this->in_.size());
    for (int step = 0; step < this->case_.steps; ++step) {
#pragma omp parallel for num_threads(this->workers_.count)
      for (std::int64_t i = 0; i < sites; ++i) this->collide(static_cast<std::size_t>(i));
    }
  }
};

const Variant original = binary_fluid::original_variant(made_of<target::Run, Original>);

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp::run_layer(argc, argv, binary_fluid::workload, binary_fluid::on_host, {&openmp::original});
}
