// lbm-mpi: strips of rows over the ranks of an MPI launcher.
#include <mpi.h>

#include "common/run/stages.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/team.hpp"

using namespace boltzmark;

namespace {

constexpr const char* local_option = "local";

/// The engine that the command line asks for. It decides which other options there are, so this is looked up
/// before they are read; what is wrong with it is said then.
std::string engine_in(int argc, char** argv) { return value_in(argc, argv, local_option).value_or("cpu"); }

Backend backend_for(const std::string& local) {
  Backend backend = local == "opencl" ? mpi::opencl_engine() : mpi::cpu_engine();
  backend.name = "mpi";
  backend.summary = "D2Q9-BGK lattice Boltzmann on the ranks of an MPI launcher (one rank without)";
  backend.build = BOLTZMARK_BUILD_INFO;
  backend.options.push_back({.name = local_option,
                             .value = "ENGINE",
                             .help = "what each rank computes with; variants and options go with it, see "
                                     "--local opencl --help; default: cpu",
                             .choices = {"cpu", "opencl"},
                             .in_every_variant = true});
  return backend;
}

int run(int argc, char** argv) {
  mpi::MpiTeam team;
  Backend backend;
  const Failure failure = attempt([&] { backend = backend_for(engine_in(argc, argv)); });
  if (!failure.status) return run_main(argc, argv, backend, team);
  backend.name = "mpi";
  if (team.is_root()) print_error(backend, failure.line);
  return failure.status;
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;  // which it is, threads_of_rank asks
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const int status = run(argc, argv);
  MPI_Finalize();
  return status;
}
