// The program of each workload that is written once in common/target's layer, on one core.
#include "common/run/cpu_device.hpp"
#include "common/target/layer.hpp"

int main(int argc, char** argv) {
  using namespace boltzmark;
  const auto make = [](const target::Rung& rung, const Options& asked) { return target::make_host_run(rung, asked); };
  const std::string summary = fmt::format("{} on one core", target::what_is_computed);
  return run_on_cpu<target::Variant>(argc, argv, "serial", summary.c_str(), BOLTZMARK_BUILD_INFO,
                                     target::variants(make), nullptr, Tuned::yes);
}
