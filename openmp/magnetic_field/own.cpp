// OpenBLAS, called by each thread: the peer.
#include "common/magnetic_field/openblas.hpp"
#include "openmp/threads.hpp"

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {magnetic_field::openblas([](const Options& asked) {
    Workers workers;
    workers.count = openmp::start_threads(asked.number("threads"));
    workers.run = [threads = workers.count](const std::function<void(int me)>& work) {
#pragma omp parallel num_threads(threads)
      work(number_in_team_of(threads));
    };
    return workers;
  })};
}
