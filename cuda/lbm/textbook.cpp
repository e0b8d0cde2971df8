// The variant `textbook`: passes the problem to textbook.cu and gets the results back.
#include "common/lbm/counting.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {
using namespace lbm;
namespace {

template <class T, class L>
class Textbook : public Solver {
 public:
  explicit Textbook(const Options& asked) : library_(asked, "lbm") {}

  void init(const Problem& problem) override {
    problem_ = &problem;
    const Parameters& p = problem.parameters;
    const auto constants = make_relaxation<T, L>(p);
    const auto solid = problem.solid_mask();
    const auto start = start_grid<T, L>(problem);
    const auto pushes = wall_pushes<L>(problem);
    library_.load(textbook_source, L::dimension == 3 ? "-D LATTICE_D3Q19" : "");
    library_.call<int, int, int, int, const Relaxation<T, L>*, const std::uint8_t*, const WallPush*, int, const T*>(
        "create", p.nx, p.ny, p.nz, p.driven_row(), &constants, solid.data(), pushes.data(), int(pushes.size()),
        start.data());
  }

  void run(int steps, std::span<double> av_vels) override {
    library_.call<int, double*>("run", steps, av_vels.data());
    for (double& speed : av_vels) speed /= static_cast<double>(problem_->fluid_cells());
  }

  void collect(State& state) override {
    const Parameters& p = problem_->parameters;
    const std::int64_t cells = problem_->cells();
    std::vector<T> populations(L::directions * cells);
    library_.call<T*>("read", populations.data());
    collect_fields<L>(p.nx, p.ny * p.nz, p.density, fields_of(state),
                      [&](int i, int x, int row) { return populations[i * cells + x + row * std::int64_t{p.nx}]; });
  }

  RunFacts facts() const override {
    RunFacts facts = library_.facts(2.0 * L::directions * sizeof(T));
    facts.flops_per_update = counted_cell_flops<L>();
    return facts;
  }

 private:
  TextbookLibrary library_;
  const Problem* problem_ = nullptr;
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>(
    "CUDA as a student writes it: two grids, one thread per cell, one launch per step for all cells");

}  // namespace boltzmark::cuda
