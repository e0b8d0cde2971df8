// Fused over ranks: strips of rows, in three dimensions of planes, with one halo row or plane at each end, exchanged
// before every step; two grids, structure of arrays (common/lbm/cpu/strip.hpp).
//
//   rank r+1    |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r
//   rank r      |  row rows-1  |  --- directions 2, 5, 6 --->  halo row -1 of rank r+1
//               |  ...         |
//               |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r-1
//
// Only the three directions that cross a strip's edge are sent, each a segment of memory; in three dimensions the five
// with c_z = 1, or -1, each a segment of every row of the plane. With the method sendrecv this is the published
// exchange (Rutterford); The methods are in exchange.hpp, blocks of a grid of ranks and the order of work in
// block_solver.hpp. Average velocities are summed once, after the last step.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "mpi/lbm/block_solver.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class FusedCells : public Strip<T, L> {
 public:
  using Strip<T, L>::Strip;

  T* at(int x, int y, int layer, int parity) { return this->segment(0, layer, y, parity) + x; }

  /// A segment of each direction: one cell along x, else all columns with their ghosts.
  OwnedType crossing(int axis, int c) const {
    std::vector<int> starts;
    for (const int i : directions_across<L>(axis, c)) starts.push_back(i * this->pitch() - (axis == 0 ? 0 : 1));
    return face_type<L>(axis, {starts, axis == 0 ? 1 : this->columns() + 2, value_type<T>()}, this->rows(),
                        this->row_bytes(), this->layers(), this->row_bytes() * this->rows());
  }
};

template <class T, class L>
class Fused : public BlockSolver {
 public:
  Fused(const Options& asked, const Extents& shape) : BlockSolver(asked_halo(asked), asked, shape) {}

  void init(const Problem& problem) override {
    partition(problem, vvl, false);
    cells_.emplace(problem, ranks().first_layer(), ranks().layers(), has_halo_layers(), part());
    on_parts(0, [this](int begin, int end) { cells_->init_layers(begin, end); });
    connect(*cells_, false);
  }

  void run(int steps, std::span<double> av_vels) override {
    run_steps(steps, av_vels, 1.0, [this, steps](int layer, int step) {
      return cells_->update_layers(layer, layer + 1, step, step == steps - 1);
    });
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { cells_->collect(steps_, fields); }

  RunFacts facts() const override { return with_ranks(cells_->facts()); }

 private:
  static constexpr int vvl = Strip<T, L>::lanes;

  int steps_ = 0;
  std::optional<FusedCells<T, L>> cells_;
};

}  // namespace

extern const Variant fused = {
    .name = "fused",
    .summary = "structure of arrays, two grids, one vectorised pass per step, strips or blocks over ranks",
    .role = Role::like_for_like,
    .kinds = {D3Q19::name},
    .options = {threads_option("1"), halo_option(), ranks_grid_option(), storage_option()},
    .make = [](const Problem& problem, const Options& asked) {
      return make_stored<Fused>(problem, asked, asked, asked_shape(problem.parameters, asked));
    }};

}  // namespace boltzmark::mpi
