// The program of each workload that is written once in common/target's layer, on threads: what a kernel does to the
// sites of a thread is common/<workload>'s, and here are the threads. target::HostTarget calls workers.run() for every
// launch.
#include "common/target/layer.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

std::unique_ptr<target::Run> make(const target::Rung& rung, const Options& asked) {
  const int threads = start_threads(asked.number("threads"));
  target::Workers workers;
  workers.count = threads;
  workers.run = [threads](const std::function<void(int me)>& work) {
#pragma omp parallel num_threads(threads)
    work(number_in_team_of(threads));
  };
  target::Share everything;
  everything.driver = runtime_name();
  return target::make_host_run(rung, asked, workers, everything);
}

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  return run_program(argc, argv, openmp::threads_program(target::variants(openmp::make)));
}
