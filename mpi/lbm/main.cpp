// lbm-mpi: a grid divided over the ranks of an MPI launcher. --local chooses processors or devices for the ranks, and
// so the list of variants: for the threads of a rank's process below, for a device in device_engine.cpp.
#include <algorithm>

#include "common/lbm/cell.h"
#include "common/run/cpu_device.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/shared_window.hpp"
#include "mpi/team.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;

// Each in the file of its name, wavefront in in_place.cpp.
extern const Variant textbook, fused, in_place, wavefront, shared;
Program device_engine();

namespace {

/// The fewest planes per rank for which several steps between two exchanges pay off.
constexpr int fewest_planes = 16;

/// The fewest rows per thread for which a halo of several steps costs little.
constexpr int fewest_rows = 128;

/// Memory that a core's second-level TLB covers with pages of 4 KiB, some 2000 of them.
constexpr int small_pages_bytes = 8 << 20;

/// Values on which ranks agree: the smallest second-level cache of a core and last-level cache per rank of a machine;
/// and the memory that they can share.
struct Machine {
  std::size_t l2, last_level;
  std::uint64_t shareable;
  bool shares_huge_pages;
};

/// Ranks of one machine need no halo. Yet in two dimensions, on grids beyond the caches, or beyond the TLB if shared
/// memory has only small pages, long private strips are faster: 0.95 instead of 0.87 of OpenMP's rate at 1024x1024 on
/// two cores. For ranks that share no grid, several steps in a sweep pay off if a thread's rows do not fit in its
/// core's second-level cache; if they do, the few populations of in-place are exchanged faster than whole rows. In
/// three dimensions their part of the last-level cache counts, and strips of few planes would be done almost twice.
const char* fastest(const Problem& problem, const Options& options, const Machine& machine) {
  if (options.has("ranks-grid")) return "fused";
  if (options.has("halo")) return "in-place";
  const int threads = options.number("threads").value_or(1), ranks = MpiTeam().size();
  const double cell_bytes =
      bytes_of(options.precision) * (problem.parameters.dimension == 2 ? D2Q9::directions : D3Q19::directions);
  const double grid_bytes = cell_bytes * static_cast<double>(problem.cells());
  // Rows are padded, narrow ones to whole vectors.
  const double padded = 1.25 * grid_bytes * (problem.parameters.nx + 63) / problem.parameters.nx;
  if (ranks == 1) return "shared";
  const double fast_bytes = machine.shares_huge_pages
                                ? static_cast<double>(machine.last_level)
                                : std::min<double>(static_cast<double>(machine.last_level), small_pages_bytes);
  const bool is_beyond_caches = grid_bytes / ranks > fast_bytes;
  const bool has_long_strips = problem.parameters.ny / (ranks * threads) >= fewest_rows;
  const bool is_even = options.number("time-block").value_or(2) % 2 == 0;  // others are not for wavefront
  if (problem.parameters.dimension == 2 && is_beyond_caches && has_long_strips && is_even) return "wavefront";
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

/// The threads of a rank's process.
Program cpu_engine() {
  const Machine machine = {smallest_l2(), smallest_last_level(), shareable_bytes(), shared_memory_has_huge_pages()};
  Program engine;
  engine.workload = &workload;
  engine.variants = {&textbook, &fused, &in_place, &wavefront, &shared};
  engine.default_variant = [machine](const Problem& problem, const Options& options) {
    return fastest(problem, options, machine);
  };
  engine.devices = cpu_devices;
  engine.device_limits = cpu_limits;
  engine.warning = crowding;
  return engine;
}

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(argc, argv, "lbm-mpi", cpu_engine, device_engine);
}
