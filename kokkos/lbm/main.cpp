// A processor's threads. Fused: two grids, a parallel_reduce over the threads for each step. In place: one grid, of
// which a sweep of one step or several is a parallel_for over tiles of rows and one over the gaps between them.
#include "kokkos/on_space.hpp"

#include "common/lbm/solver.hpp"
#ifndef __CUDACC__
#include "common/lbm/cpu/split_sweeps.hpp"
#include "common/lbm/cpu/strip.hpp"
#endif

namespace boltzmark::kokkos {
using namespace lbm;
extern const Variant textbook, fused_of_gpu;

#ifndef __CUDACC__
namespace {

template <class T, class L>
struct Fused : StripSolver<T, L, OnSpace<OnHost<Solver>>> {
  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      Kokkos::parallel_reduce(
          Threads(0, threads()),
          [this, step, steps](std::int64_t me, double& sum) {
            const auto [begin, end] = part_of(this->strip_->layers(), me, threads());
            sum += this->strip_->update_layers(int(begin), int(end), step, step == steps - 1);
          },
          av_vels[step]);
      av_vels[step] /= this->fluid_cells_;
    }
    this->steps_ = steps;
  }
};

template <class T, class L>
struct Tiles : SplitSolver<T, L, OnSpace<OnHost<Solver>>> {
  explicit Tiles(const Options& asked)
      : Tiles::SplitSolver(asked, threads(), asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void run(int steps, std::span<double> av_vels) override {
    this->run_sweeps(steps, av_vels, [](int tiles, const auto& update_tile, int gaps, const auto& update_gap) {
      Kokkos::parallel_for(Threads(0, tiles), update_tile);
      if (gaps > 0) Kokkos::parallel_for(Threads(0, gaps), update_gap);
    });
  }
};

const Variant fused = stored_like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one parallel_reduce per step, each thread the same rows, or planes");
const Variant in_place = {.name = "in-place",
                          .summary = "one grid, updated in place, one parallel_for over tiles of rows per step",
                          .kinds = {D3Q19::name},
                          .options = {vector_length_option(), storage_option()},
                          .make = stored_of<Tiles>};
const Variant split_tiling = {
    .name = "split-tiling",
    .summary = "in place, several steps in one sweep over tiles of rows, a parallel_for each for tiles and gaps",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
    .make = stored_of<Tiles>};

}  // namespace
#endif
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, lbm::workload, {&textbook}, {ON_PROCESSORS(&fused, &in_place, &split_tiling)},
                      {&fused_of_gpu});
}
