// The program of each workload that is written once in common/target's layer, on the threads of the standard library's
// algorithms: an index for each part of the sites, and std::for_each over them.
#include "common/target/layer.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

std::unique_ptr<target::Run> make(const target::Rung& rung, const Options& asked) {
  target::Workers workers;
  workers.count = usable_cores();
  workers.run = [parts = workers.count](const std::function<void(int me)>& work) {
    std::for_each(std::execution::par, counting(0), counting(parts),
                  [&](std::int64_t part) { work(static_cast<int>(part)); });
  };
  target::Share everything;
  everything.driver = library_name();
  return target::make_host_run(rung, asked, workers, everything);
}

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  return run_program(argc, argv, stdpar::on_cores(target::variants(stdpar::make)));
}
