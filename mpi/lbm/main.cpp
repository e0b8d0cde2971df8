// lbm-mpi: strips of rows over the ranks of an MPI launcher.
#include "common/run/stages.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/team.hpp"

using namespace boltzmark;

namespace {

constexpr const char* local_option = "local";

/// The engine that the command line asks for. It decides which other options there are, so this is looked up
/// before they are read; what is wrong with it is said then.
std::string engine_in(int argc, char** argv) { return value_in(argc, argv, local_option).value_or("cpu"); }

lbm::Program program_for(const std::string& local) {
  lbm::Program program = local == "opencl" ? mpi::opencl::device_engine()
                         : local == "cuda" ? mpi::cuda::device_engine()
                                           : mpi::cpu_engine();
  program.model = "mpi";
  program.summary = "D2Q9 and D3Q19 BGK lattice Boltzmann on the ranks of an MPI launcher (one rank without)";
  program.build = BOLTZMARK_BUILD_INFO;
  program.options.push_back({.name = local_option,
                             .value = "ENGINE",
                             .help = "what each rank computes with; variants and options go with it, see "
                                     "--local opencl --help; default: cpu",
                             .choices = {"cpu", "opencl", "cuda"},
                             .in_every_variant = true});
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run_on_ranks(argc, argv, [&](Team& team) {
    lbm::Program program;
    const Stages stages("lbm-mpi", team);
    const int status = stages.together([&] { program = program_for(engine_in(argc, argv)); });
    return status ? status : lbm::run_program(argc, argv, program, team);
  });
}
