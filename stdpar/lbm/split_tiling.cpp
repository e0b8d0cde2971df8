// Split tiling in standard algorithms: in place, several steps in one sweep over tiles of rows. Within an algorithm's
// call no tile needs another, so two calls do all of a sweep's steps (common/lbm/cpu/split_sweeps.hpp).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include "common/lbm/cpu/split_sweeps.hpp"

#include <algorithm>
#include <execution>

#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class T, class L>
class Tiles : public SplitSolver<T, L, OnCores<OnHost<Solver>>> {
 public:
  explicit Tiles(const Options& asked) : Tiles::SplitSolver(asked, usable_cores(), asked.number("time-block")) {}

  void run(int steps, std::span<double> av_vels) override {
    this->run_sweeps(steps, av_vels, [](int tiles, const auto& update_tile, int gaps, const auto& update_gap) {
      std::for_each(std::execution::par, counting(0), counting(tiles), update_tile);
      std::for_each(std::execution::par, counting(0), counting(gaps), update_gap);
    });
  }
};

}  // namespace

extern const lbm::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "in place, several steps in one sweep over tiles of rows, an algorithm each for tiles and gaps",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
    .make = stored_of<Tiles>};

}  // namespace boltzmark::stdpar
