// OpenBLAS, called by each thread: the peer.
#include "common/magnetic_field/openblas.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

const Variant openblas = magnetic_field::openblas([](const Options& asked) {
  target::Workers workers;
  workers.count = start_threads(asked.number("threads"));
  workers.run = [threads = workers.count](const std::function<void(int me)>& work) {
#pragma omp parallel num_threads(threads)
    work(number_in_team_of(threads));
  };
  return workers;
});

}  // namespace

target::RunLayer run_layer;  // layer/layer.cpp

}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return openmp::run_layer(argc, argv, magnetic_field::workload, magnetic_field::on_host, {&openmp::openblas});
}
