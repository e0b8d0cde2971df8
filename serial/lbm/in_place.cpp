// In place and wavefront: one grid that every step updates where it is (common/lbm/cpu/in_place_grid.hpp). Even steps
// read and write the populations of a cell's neighbours, odd steps those of the cell itself.
//
//   in-place    step 0 of all rows, step 1 of all rows, ...
//   wavefront   step 0 of row y, step 1 of row y-1, step 2 of row y-2, ... then the same for y+1, in three dimensions
//               for planes z (common/lbm/cpu/sweeps.hpp): the rows under way stay in cache for several steps
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace : public OnHost<Solver> {
 public:
  explicit InPlace(const Options& asked)
      : kernels_(row_kernels<T, L>(asked.number("vvl"))),
        time_block_(asked.variant == "in-place" ? 1 : asked.number("time-block")) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, 1, time_block_);
    sweeps_->init(0);
  }

  void run(int steps, std::span<double> av_vels) override {
    std::fill(av_vels.begin(), av_vels.end(), 0.0);
    sweeps_->run(0, steps, av_vels);
    for (double& average : av_vels) average *= sweeps_->speed_unit() / fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return on_machine(in_place_facts(kernels_, sweeps_->depth())); }

 private:
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Sweeps<T, L>> sweeps_;
};

}  // namespace

extern const lbm::Variant in_place = {.name = "in-place",
                                      .summary = "one grid, updated in place, one pass per step",
                                      .kinds = {D3Q19::name},
                                      .options = {vector_length_option()},
                                      .make = made_of<InPlace>};

extern const lbm::Variant wavefront = {
    .name = "wavefront",
    .summary = "in place, several steps in one sweep over the rows, or planes",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32", "64"})},
    .make = made_of<InPlace>};

}  // namespace boltzmark::serial
