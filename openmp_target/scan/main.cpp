// scan-openmp-target: prefix sums on an offload device.
#include "openmp_target/runtime/device.hpp"
#include "openmp_target/scan/variants.hpp"

using namespace boltzmark;

int main(int argc, char** argv) {
  openmp_target::prepare_runtime(argv);
  scan::Program program;
  program.model = "openmp_target";
  program.summary = "Prefix sums in OpenMP target regions on an offload device";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "a block for each thread: sums, their sums, scans",
                       .role = Role::textbook},
                      {.name = "blocks", .summary = "the same in short blocks", .role = Role::like_for_like}};
  program.options = {openmp_target::team_threads_option(), device_option()};
  program.devices = openmp_target::list_devices;
  program.default_variant = [](const Options&) { return "blocks"; };
  program.make = openmp_target::make_scanner;
  return scan::run_program(argc, argv, program);
}
