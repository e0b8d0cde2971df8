// Strips on the threads of a rank's process.
#include "common/lbm/lattice.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

constexpr const char* halo_option = "halo";

/// Several steps in a sweep pay where the rows of a thread do not fit its core's second-level cache. Where
/// they do, the few populations of in-place are exchanged faster than whole rows.
const char* fastest(const Problem& problem, const Options& options, std::size_t cache_bytes) {
  if (options.has("time-block")) return "wavefront";
  if (options.has(halo_option)) return "in-place";
  const double grid_bytes =
      Lattice::directions * bytes_of(options.precision) * static_cast<double>(problem.cells());
  const double workers = static_cast<double>(MpiTeam().size()) * options.number("threads").value_or(1);
  return grid_bytes / workers <= 0.75 * static_cast<double>(cache_bytes) ? "in-place" : "wavefront";
}

std::unique_ptr<Solver> make(const Problem&, const Options& options) {
  const auto threads = options.number("threads"), lanes = options.number("vvl");
  const std::string halo = options.has(halo_option) ? options.text(halo_option) : "persistent";
  if (options.variant == "textbook") return make_textbook(options.precision);
  if (options.variant == "fused") return make_fused(options.precision, halo, threads);
  if (options.variant == "in-place") return make_in_place(options.precision, halo, threads, lanes, 1);
  return make_in_place(options.precision, "deep", threads, lanes, options.number("time-block"));
}

}  // namespace

lbm::Program cpu_engine() {
  lbm::Program engine;
  engine.variants = {
      {.name = "textbook",
       .summary = "array of structs, strips of rows over ranks, MPI_Sendrecv in every step, one MPI_Reduce",
       .role = Role::textbook},
      {.name = "fused",
       .summary = "structure of arrays, two grids, one vectorised pass per step, strips of rows over ranks",
       .options = {"threads", halo_option},
       .role = Role::like_for_like},
      {.name = "in-place",
       .summary = "one grid, updated where it lies, one pass per step, strips of rows over ranks",
       .options = {"threads", "vvl", halo_option}},
      {.name = "wavefront",
       .summary = "in place, several steps in one sweep between exchanges of as many halo rows",
       .options = {"threads", "vvl", "time-block"}}};
  ModelOption threads = threads_option("1");
  threads.in_every_variant = false;  // a rank of the textbook has one
  engine.options = {threads,
                    vector_length_option(),
                    time_block_option({"1", "2", "4", "8", "16", "32", "64"}),
                    {.name = halo_option,
                     .value = "METHOD",
                     .help = "how ranks exchange halo rows; default: persistent",
                     .choices = {"persistent", "sendrecv"}}};
  engine.default_variant = [cache_bytes = smallest_l2()](const Problem& problem, const Options& options) {
    return fastest(problem, options, cache_bytes);
  };
  engine.devices = cpu_devices;
  engine.device_limits = cpu_limits;
  engine.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  engine.make = make;
  return engine;
}

}  // namespace boltzmark::mpi
