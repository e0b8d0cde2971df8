// In place and wavefront: one grid that every step updates where it is (common/lbm/cpu/in_place_grid.hpp). Even steps
// read and write the populations of a cell's neighbours, odd steps those of the cell itself.
//
//   in-place    step 0 of all rows, step 1 of all rows, ...
//   wavefront   step 0 of row y, step 1 of row y-1, step 2 of row y-2, ... then the same for y+1, in three dimensions
//               for planes z (common/lbm/cpu/sweeps.hpp): the rows under way stay in cache for several steps
#include "common/lbm/cpu/sweeps.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace : public SweepsSolver<T, L, OnHost<Solver>> {
 public:
  explicit InPlace(const Options& asked) : InPlace::SweepsSolver(asked) {}

  void run(int steps, std::span<double> av_vels) override {
    std::fill(av_vels.begin(), av_vels.end(), 0.0);
    this->sweeps_->run(0, steps, av_vels);
    for (double& average : av_vels) average *= this->sweeps_->speed_unit() / this->fluid_cells_;
    this->steps_ = steps;
  }
};

}  // namespace

extern const lbm::Variant in_place = {.name = "in-place",
                                      .summary = "one grid, updated in place, one pass per step",
                                      .kinds = {D3Q19::name},
                                      .options = {vector_length_option(), storage_option()},
                                      .make = stored_of<InPlace>};

extern const lbm::Variant wavefront = {
    .name = "wavefront",
    .summary = "in place, several steps in one sweep over the rows, or planes",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = stored_of<InPlace>};

}  // namespace boltzmark::serial
