// Strips on the threads of a rank's process.
#include <algorithm>

#include "common/lbm/cpu/plane_wavefront.hpp"
#include "common/lbm/lattice.hpp"
#include "common/run/cpu_device.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/shared_window.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

constexpr const char *halo_option = "halo", *ranks_grid_option = "ranks-grid";

/// The fewest planes of a rank for which several steps between two exchanges pay.
constexpr int fewest_planes = 16;

/// The fewest rows of a thread that lose little to a halo of several steps.
constexpr int fewest_rows = 128;

/// What ranks agree about: second level of a core, and last level for each rank of a machine, the least of all; and what
/// memory they can share.
struct Machine {
  std::size_t l2, last_level;
  std::uint64_t shareable;
};

/// Ranks of one machine need no halo. In two dimensions, on grids beyond the caches, long strips of each rank's own are
/// faster all the same: 0.95 against 0.87 of OpenMP's rate at 1024x1024 on two cores. For ranks that do not share several
/// steps in a sweep pay where the rows of a thread do not fit its core's second-level cache. Where they do, the few
/// populations of in-place are exchanged faster than whole rows. In three dimensions it is their part of the last-level
/// cache, and strips of few planes would be done almost twice.
const char* fastest(const Problem& problem, const Options& options, const Machine& machine) {
  if (options.has(ranks_grid_option)) return "fused";
  if (options.has(halo_option)) return "in-place";
  const int threads = options.number("threads").value_or(1), ranks = MpiTeam().size();
  const double cell_bytes = bytes_of(options.precision) *
                            (problem.parameters.dimension == 2 ? D2Q9::directions : D3Q19::directions);
  const double grid_bytes = cell_bytes * static_cast<double>(problem.cells());
  // Rows are padded, narrow ones to whole vectors.
  const double padded = 1.25 * grid_bytes * (problem.parameters.nx + 63) / problem.parameters.nx;
  if (ranks == 1) return "shared";
  const bool is_beyond_caches = grid_bytes / ranks > static_cast<double>(machine.last_level);
  const bool has_long_strips = problem.parameters.ny / (ranks * threads) >= fewest_rows;
  if (problem.parameters.dimension == 2 && is_beyond_caches && has_long_strips) return "wavefront";
  if (padded < static_cast<double>(machine.shareable)) return "shared";
  if (options.has("time-block")) return "wavefront";
  const double worker_bytes = grid_bytes / (static_cast<double>(ranks) * threads);
  double cached = 0.75 * static_cast<double>(machine.l2);
  if (problem.parameters.dimension == 3) {
    if (problem.parameters.nz / ranks < fewest_planes) return "in-place";
    cached = std::max(cached, 0.6 * static_cast<double>(machine.last_level) / threads);
  }
  return worker_bytes <= cached ? "in-place" : "wavefront";
}

/// As asked for, or the one with the least halo.
RanksShape shape_of(const Parameters& parameters, const Options& options) {
  const int ranks = MpiTeam().size();
  return options.has(ranks_grid_option)
             ? parse_ranks_shape(options.text(ranks_grid_option), parameters, ranks)
             : least_halo(parameters, ranks);
}

std::unique_ptr<Solver> make(const Problem& problem, const Options& options) {
  const auto threads = options.number("threads"), lanes = options.number("vvl");
  const std::string halo = options.has(halo_option) ? options.text(halo_option) : "persistent";
  if (options.variant == "textbook") return make_textbook(problem, options.precision);
  if (options.variant == "wavefront")
    return make_in_place(problem, options.precision, "deep", threads, lanes, options.number("time-block"));
  if (options.variant == "shared")
    return make_shared(problem, options.precision, threads, lanes, options.number("time-block"));
  const RanksShape shape = shape_of(problem.parameters, options);
  const bool strips = is_strips(shape, problem.parameters.dimension);
  if (options.variant == "fused")
    return strips ? make_fused(problem, options.precision, halo, threads)
                  : make_fused_blocks(problem, options.precision, shape, halo, threads);
  return strips ? make_in_place(problem, options.precision, halo, threads, lanes, 1)
                : make_in_place_blocks(problem, options.precision, shape, halo, threads, lanes);
}

}  // namespace

lbm::Program cpu_engine() {
  lbm::Program engine;
  engine.variants = {
      {.name = "textbook",
       .summary =
           "array of structs, strips of rows or planes over ranks, MPI_Sendrecv in every step, one MPI_Reduce",
       .role = Role::textbook,
       .kinds = {D3Q19::name}},
      {.name = "fused",
       .summary = "structure of arrays, two grids, one vectorised pass per step, strips or blocks over ranks",
       .options = {"threads", halo_option, ranks_grid_option},
       .role = Role::like_for_like,
       .kinds = {D3Q19::name}},
      {.name = "in-place",
       .summary = "one grid, updated where it lies, one pass per step, strips or blocks over ranks",
       .options = {"threads", "vvl", halo_option, ranks_grid_option},
       .kinds = {D3Q19::name}},
      {.name = "wavefront",
       .summary = "in place, several steps in one sweep between exchanges of as many halo rows or planes",
       .options = {"threads", "vvl", "time-block"},
       .kinds = {D3Q19::name}},
      {.name = "shared",
       .summary =
           "in place, several steps in one sweep, over one grid in memory that the ranks of a machine share",
       .options = {"threads", "vvl", "time-block"},
       .kinds = {D3Q19::name}}};
  ModelOption threads = threads_option("1");
  threads.in_every_variant = false;  // a rank of the textbook has one
  engine.options = {
      threads,
      vector_length_option(),
      time_block_option({"1", "2", "4", "8", "16", "32", "64"}),
      {.name = halo_option,
       .value = "METHOD",
       .help = "how ranks exchange halo rows; default: persistent",
       .choices = {"persistent", "sendrecv"}},
      {.name = ranks_grid_option,
       .value = "AxBxC",
       .help = "ranks along x, y and z, in two dimensions AxB; default: the least halo, in cache lines"}};
  const Machine machine = {smallest_l2(), smallest_last_level(), shareable_bytes()};
  engine.default_variant = [machine](const Problem& problem, const Options& options) {
    return fastest(problem, options, machine);
  };
  engine.devices = cpu_devices;
  engine.device_limits = cpu_limits;
  engine.warning = [](const Options& options) { return crowding(options.number("threads").value_or(1)); };
  engine.make = make;
  return engine;
}

}  // namespace boltzmark::mpi
