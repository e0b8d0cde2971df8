#include "common/run/cpu_device.hpp"
#include "mpi/heat/variants.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

heat::Program make_program() {
  heat::Program program;
  program.model = "mpi";
  program.summary = "The heat equation on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook",
                       .summary = "strips of rows, exchanged before every step; delta over ranks after it",
                       .role = Role::textbook},
                      {.name = "vectors",
                       .summary = "the same in vectors, rows exchanged behind the work, deltas at the end",
                       .options = {"vvl"},
                       .role = Role::like_for_like}};
  program.options = {vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options&) { return crowding(1); };
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) {
    if (options.variant == "textbook") return make_textbook(options.precision);
    return make_vectors(options.precision, options.number("vvl"));
  };
  return program;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_ranks(
      argc, argv, [&](Team& team) { return heat::run_program(argc, argv, mpi::make_program(), team); });
}
