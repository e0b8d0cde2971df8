#include "common/lbm/solver.hpp"
#include "openmp_target/runtime/device.hpp"

using namespace boltzmark;

namespace boltzmark::openmp_target {
extern const lbm::Variant textbook, fused, in_place, time_block, persistent;  // each in the file of its name
}

namespace {

/// The fastest variant for this problem on the chosen device.
std::string fastest_variant(const lbm::Problem& problem, const Options& options) {
  const auto device = openmp_target::choose_device(options.text("device"));
  if (!device.properties.is_gpu()) return "persistent";
  if (!device.properties.teams_can_wait) return "fused";
  // Beyond a GPU's cache (50 MB on an H100 and H200) a step is bound by memory; then several steps per sweep are best,
  // or two grids, whose access is more regular. With one grid of 20 MB `persistent` has twice their rate, with 38 to 40
  // MB 0.8 to 1.6 times (H100), and with 75 MB less.
  constexpr std::int64_t most_bytes = std::int64_t{48} << 20;
  const bool halves = lbm::wants_halves(options);
  const int directions = problem.parameters.dimension == 2 ? lbm::D2Q9::directions : lbm::D3Q19::directions;
  const std::int64_t bytes = problem.cells() * directions * (halves ? sizeof(Half) : bytes_of(options.precision));
  if (bytes <= most_bytes) return "persistent";
  return device.multiprocessors > 0 && !halves && problem.moving.empty() ? "time-block" : "fused";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace openmp_target;
  return run_on_device(argc, argv, lbm::workload, {&textbook, &fused, &in_place, &time_block, &persistent},
                       fastest_variant);
}
