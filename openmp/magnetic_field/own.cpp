// OpenBLAS on as many threads: the peer. Its threads are its own; OpenMP's make the matrices, and are not bound, or the
// library's would start on the processor of the one that calls it.
#include "common/magnetic_field/openblas.hpp"
#include "openmp/threads.hpp"

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {magnetic_field::openblas([](const Options& asked) {
    Workers workers;
    workers.count = check_threads(asked.number("threads"));
    workers.run = [threads = workers.count](const std::function<void(int me)>& work) {
#pragma omp parallel num_threads(threads)
      work(omp_get_thread_num());
    };
    return workers;
  })};
}
