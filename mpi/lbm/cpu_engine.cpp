// Strips on the threads of a rank's process.
#include "common/run/cpu_device.hpp"
#include "common/lbm/lattice.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

constexpr const char* halo_option = "halo";

/// As given, or the fastest that the variant has.
std::string halo_of(const Options& options) {
  if (options.variant == "wavefront") return "deep";
  const auto given = options.own.find(halo_option);
  return given == options.own.end() ? "persistent" : given->second;
}

/// Several steps in a sweep pay where the rows of a thread do not fit its core's second-level cache. Where
/// they do, the few populations of in-place are exchanged faster than whole rows.
const char* fastest(const Problem& problem, const Options& options, std::size_t cache_bytes) {
  if (options.time_block) return "wavefront";
  if (options.own.contains(halo_option)) return "in-place";
  const double grid_bytes =
      Lattice::directions * bytes_of(options.precision) * static_cast<double>(problem.cells());
  const double workers = static_cast<double>(MpiTeam().size()) * options.threads.value_or(1);
  return grid_bytes / workers <= 0.75 * static_cast<double>(cache_bytes) ? "in-place" : "wavefront";
}

std::unique_ptr<Solver> make(const Options& options) {
  const std::string halo = halo_of(options);
  if (options.variant == "fused") return make_fused(options.precision, halo, options.threads);
  return make_in_place(options.precision, halo, options.threads, options.vvl, options.time_block);
}

}  // namespace

Backend cpu_engine() {
  const std::vector<Precision> both = {Precision::f32, Precision::f64};
  const std::vector<Variant> variants = {
      {.name = "fused",
       .summary = "structure of arrays, two grids, one vectorised pass a step, strips of rows over ranks",
       .precisions = both,
       .options = {halo_option}},
      {.name = "in-place",
       .summary = "one grid, updated where it lies, one pass a step, strips of rows over ranks",
       .precisions = both,
       .takes_vvl = true,
       .options = {halo_option}},
      {.name = "wavefront",
       .summary = "in place, several steps in one sweep between exchanges of as many halo rows",
       .precisions = both,
       .takes_vvl = true,
       .takes_time_block = true,
       .time_blocks = {1, 2, 4, 8, 16, 32, 64}}};
  Backend engine;
  engine.variants = variants;
  engine.takes_threads = true;
  engine.default_threads = "1";
  engine.options = {{.name = halo_option,
                     .value = "METHOD",
                     .help = "how ranks exchange halo rows; default: persistent",
                     .choices = {"persistent", "sendrecv"}}};
  engine.default_variant = [cache_bytes = smallest_l2()](const Problem& problem, const Options& options) {
    return fastest(problem, options, cache_bytes);
  };
  engine.devices = cpu_devices;
  engine.device_limits = cpu_limits;
  engine.warning = [](const Options& options) { return crowding(options.threads.value_or(1)); };
  engine.make = make;
  engine.make_stream = [](const Options& options) { return make_stream(options.precision, options.threads); };
  return engine;
}

}  // namespace boltzmark::mpi
