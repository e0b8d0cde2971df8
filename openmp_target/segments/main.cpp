// segments-openmp-target: segmented sums on an offload device.
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/segments/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  segments::Program program;
  program.model = "openmp_target";
  program.summary = "Segmented sums in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook", .summary = "a loop over segments", .role = Role::textbook},
                      {.name = "vectors",
                       .summary = "vectors along segments, of which few are cut into parts",
                       .role = Role::like_for_like}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = openmp_target::make_segments;
  return segments::run_program(argc, argv, program);
}
