// The program of each workload that is written once in common/target's layer, on one core.
#include "common/run/cpu_device.hpp"
#include "common/target/layer.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  const auto make = [](const target::Rung& rung, const Options& asked) { return target::make_host_run(rung, asked); };
  return run_program(argc, argv, cpu_program("serial", "on one core", target::variants(make)));
}
