#include "common/run/cpu_device.hpp"
#include "mpi/matmul/variants.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
namespace {

matmul::Program make_program() {
  matmul::Program program;
  program.model = "mpi";
  program.summary = "Matrix multiplication on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook",
       .summary = "rows of the matrices over ranks, the rows of B broadcast in turn; one thread",
       .role = Role::textbook},
      {.name = "summa",
       .summary = "blocks over a grid of ranks, panels broadcast along its rows and columns",
       .options = {"threads", "vvl"},
       .role = Role::like_for_like}};
  ModelOption threads = threads_option("1");
  threads.in_every_variant = false;  // a rank of the textbook has one
  program.options = {threads, vector_length_option()};
  program.devices = cpu_devices;
  program.device_limits = cpu_limits;
  program.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  program.default_variant = [](const Options&) { return "summa"; };
  program.make = [](const Options& options) {
    if (options.variant == "textbook") return make_textbook(options.precision);
    return make_summa(options.precision, options.number("threads"), options.number("vvl"));
  };
  return program;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  return mpi::run_on_ranks(
      argc, argv, [&](Team& team) { return matmul::run_program(argc, argv, mpi::make_program(), team); });
}
