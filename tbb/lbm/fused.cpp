// Fused: each step is one reduction over the layers of the grid (rows; planes in three dimensions).
//
//   step t      grid A  ->  grid B     slot 0: layers 0 .. a-1, slot 1: layers a .. b-1, ...
//   step t+1    grid B  ->  grid A     when all of step t are done; each slot has the same layers
//
// A static_partitioner divides the layers evenly over the slots of the arena, in every step and where the start state
// is set: rows stay with threads, which a standard algorithm cannot say.
#include "common/lbm/cpu/strip.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

using Layers = tbb::blocked_range<int>;

template <class T, class L>
class Fused : public StripSolver<T, L, OnArena<OnHost<Solver>>> {
 public:
  using Fused::StripSolver::StripSolver;

  void init(const Problem& problem) override {
    this->fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, problem.parameters.layers(), false);
    this->arena_.execute([this] {
      tbb::parallel_for(
          Layers(0, strip_->layers()), [this](const Layers& mine) { strip_->init_layers(mine.begin(), mine.end()); },
          tbb::static_partitioner());
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    this->arena_.execute([&] {
      for (int step = 0; step < steps; ++step)
        av_vels[step] = tbb::parallel_deterministic_reduce(
                            Layers(0, strip_->layers()), 0.0,
                            [&](const Layers& mine, double sum) {
                              return sum + strip_->update_layers(mine.begin(), mine.end(), step, step == steps - 1);
                            },
                            std::plus<>(), tbb::static_partitioner()) /
                        this->fluid_cells_;
    });
    this->steps_ = steps;
  }

 private:
  using Fused::StripSolver::strip_;
};

}  // namespace

extern const lbm::Variant fused = stored_like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one reduction per step, each slot the same rows, or planes");

}  // namespace boltzmark::onetbb
