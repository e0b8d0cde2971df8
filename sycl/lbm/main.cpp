// Lattice Boltzmann in SYCL with all that a device is good for.
//
// Fused: two grids, one kernel per step, from one to the other. In place: one grid, of which each step reads and writes
// the same places, and no two cells have one in common (the AA pattern: Bailey and others 2009). An even step reads
// each population from the neighbour that it comes from, and writes it where its opposite came from; an odd one reads
// it there and writes in the plain order. Bouncing back in a solid cell leaves everything where it was.
//
// On a processor that reaches this machine's memory both are the grids of all models on processors (common/lbm/cpu/),
// and in a kernel each unit updates its layers. Elsewhere an item updates a cell, and populations of a row are one
// direction after the other.
#include "sycl/on_queue.hpp"

#include "common/cpu/aligned.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_grid.hpp"
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/pull.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::by_sycl {
using namespace lbm;
extern const Variant textbook;
namespace {

enum class Step { fused, even, odd };

/// A kernel's data of the problem, and the places of populations.
template <class T, class L>
struct Cells {
  Relaxation<T, L> constants;
  int nx, ny, rows, driven_row = -1;
  std::int64_t pitch;
  const std::uint8_t* solid = nullptr;
  const T* from = nullptr;
  T* to = nullptr;

  Cells() = default;
  explicit Cells(const Parameters& p)
      : constants(make_relaxation<T, L>(p)), nx(p.nx), ny(p.ny), rows(p.ny * p.nz), pitch((p.nx + 31) / 32 * 32) {
    if (pitch * sizeof(T) % 4096 == 0) pitch += 32;  // or all directions fall on the same few sets of a cache
  }
  std::int64_t values() const { return pitch * L::directions * rows; }
  std::int64_t place(int i, int x, int row) const { return (std::int64_t{row} * L::directions + i) * pitch + x; }
  /// Number of the column or row that `by` leads to, of one that is less than one off.
  static KERNEL_FN int wrapped(int at, int count) { return at < 0 ? at + count : at < count ? at : at - count; }
  KERNEL_FN int row_at(int y, int z) const {
    return wrapped(y, ny) + (L::dimension == 2 ? 0 : wrapped(z, rows / ny) * ny);
  }

  /// Where population I is read by a step that reads the neighbours'.
  template <int I>
  KERNEL_FN std::int64_t source(int x, int y, int z) const {
    using D = Direction<L, I>;
    return place(I, wrapped(x - D::x, nx), row_at(y - D::y, z - D::z));
  }

  /// Updates a cell; returns |u| of a fluid one.
  template <Step step>
  KERNEL_FN T of_cell(std::int64_t cell) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      const auto number = static_cast<std::uint32_t>(cell), above = number / static_cast<std::uint32_t>(nx);
      const int x = static_cast<int>(number - above * nx), row = static_cast<int>(above);
      const int z = L::dimension == 2 ? 0 : row / ny, y = row - z * ny;
      const std::int64_t places[] = {(step == Step::odd ? place(I, x, row) : source<I>(x, y, z))...};
      const bool is_solid = solid[number] != 0;
      const Populations<T, L> arrived = {{from[places[step == Step::odd ? int{Direction<L, I>::opposite} : I]]...}};
      T speed = 0;
      const Populations<T, L> leaving =
          update_cell(arrived, moments_of(arrived, constants), is_solid, is_solid, y == driven_row, constants, &speed);
      if constexpr (step == Step::fused)
        ((to[place(I, x, row)] = leaving.f[I]), ...);
      else
        ((to[places[I]] = leaving.f[step == Step::even ? int{Direction<L, I>::opposite} : I]), ...);
      return speed * constants.speed_unit;
    }
    (std::make_integer_sequence<int, L::directions>{});
  }
};

/// The grids of a device, on which each item updates a cell.
template <class T, class L, bool in_place>
struct InItems : Solver {
  void init(const Problem& problem) override {
    problem_ = &problem;
    steps_ = 0;
    const Parameters& p = problem.parameters;
    cells_ = Cells<T, L>(p);
    solid_ = problem.solid_mask();
    solid_there_ = {solid_.data(), p.cells()};
    cells_.solid = solid_there_.data();
    for (int i = 0; i < (in_place ? 1 : 2); ++i) grids_[i] = Usm<T>(cells_.values());
    grid_ = AlignedArray<T>(static_cast<std::size_t>(cells_.values()));
    each(cells_.rows, [cells = cells_, a = grids_[0].data(), b = grids_[in_place ? 0 : 1].data()](std::int64_t row) {
      for (std::int64_t at = cells.place(0, 0, int(row)); at < cells.place(0, 0, int(row) + 1); ++at) a[at] = b[at] = 0;
    });
    start_pulling(problem, solid_, cells_.constants, [this](std::int64_t cell, int i) -> T& {
      return grid_[cells_.place(i, int(cell % cells_.nx), int(cell / cells_.nx))];
    });
    grids_[0].write(grid_.data());
    for (const bool streamed : {false, true}) {
      auto& pushes = pushes_[streamed];
      pushes.clear();
      for (const WallPush& push : wall_pushes<L>(problem)) {
        const auto [x, row] = std::pair(int(push.cell % p.nx), int(push.cell / p.nx));
        pushes.push_back({place(push.direction, x, row, streamed), T(push.momentum)});
      }
      pushes_there_[streamed] = {pushes.data(), std::int64_t(pushes.size())};
    }
  }

  void run(int steps, std::span<double> av_vels) override {
    run_steps(av_vels, [&](int step, double* sums) {
      cells_.driven_row = step < steps - 1 ? problem_->parameters.driven_row() : -1;
      cells_.from = grids_[in_place ? 0 : step % 2].data();
      cells_.to = grids_[in_place ? 0 : 1 - step % 2].data();
      const bool streamed = in_place && step % 2 == 0;
      if constexpr (in_place)
        streamed ? enqueue<Step::even>(sums) : enqueue<Step::odd>(sums);
      else
        enqueue<Step::fused>(sums);
      // The push of moving walls on the populations that have just left them.
      each(std::int64_t(pushes_[streamed].size()), [to = cells_.to, pushes = pushes_there_[streamed].data()](
                                                       std::int64_t n) { to[pushes[n].place] += pushes[n].momentum; });
    });
    steps_ = steps;
    for (double& av_vel : av_vels) av_vel /= static_cast<double>(problem_->fluid_cells());
  }
  template <Step step>
  void enqueue(double* sums) const {
    add_up(sums, problem_->cells(), [cells = cells_](std::int64_t cell) { return cells.template of_cell<step>(cell); });
  }

  void collect(State& state) override {
    const Parameters& p = problem_->parameters;
    grids_[in_place ? 0 : steps_ % 2].read(grid_.data());
    collect_fields<L>(p.nx, cells_.rows, p.density, fields_of(state),
                      [&](int i, int x, int row) { return grid_[place(i, x, row, in_place && steps_ % 2 != 0)]; });
  }
  /// Of population i of a cell; `streamed`: with the cell that it moves to, in its opposite's place.
  std::int64_t place(int i, int x, int row, bool streamed) const {
    if (!streamed) return cells_.place(i, x, row);
    const int ny = cells_.ny, to = cells_.row_at(row % ny + L::cy[i], row / ny + L::cz[i]);
    return cells_.place(L::opposite[i], cells_.wrapped(x + L::cx[i], cells_.nx), to);
  }
  RunFacts facts() const override { return on_device(cpu_facts<T, L>(in_place ? 1 : 2, {{"vvl", 1}})); }

  struct Push {
    std::int64_t place;
    T momentum;
  };
  const Problem* problem_ = nullptr;
  int steps_ = 0;
  Cells<T, L> cells_;
  std::vector<std::uint8_t> solid_;
  InUsm<std::uint8_t> solid_there_;
  std::vector<Push> pushes_[2];  ///< in the plain order, and streamed
  InUsm<Push> pushes_there_[2];
  Usm<T> grids_[2];
  AlignedArray<T> grid_;  ///< on the host: at the start, and when collected
};

/// Row updates for the vectors of the build, to be called by a kernel, which cannot call functions by pointer.
template <class T, class L>
struct RowsHere {
  template <template <class, class> class Places2d, template <class, class> class Places3d>
  struct Update {
    bool driven;
    Update operator[](bool is_driven) const { return {is_driven}; }
    double operator()(const RowJob<T, L>& job, const Relaxation<T, L>& c) const {
      using V = Pack<T, native_lanes<T>>;
      if constexpr (L::dimension == 2)
        return driven ? update_row<RowsHere, V, Places2d, true>(job, c)
                      : update_row<RowsHere, V, Places2d, false>(job, c);
      else
        return driven ? update_plane_row<RowsHere, V, Places3d, true>(job, c)
                      : update_plane_row<RowsHere, V, Places3d, false>(job, c);
    }
  };
  static constexpr int lanes = native_lanes<T>;
  Update<NeighbourPlaces, NeighbourPlanePlaces> from_neighbours;
  Update<OwnPlaces, OwnPlanePlaces> from_own;
};

/// One grid as StripSolver knows two.
template <class T, class L>
struct OneGrid : InPlaceGrid<T, L, RowsHere<T, L>> {
  using Rows = RowsHere<T, L>;
  static constexpr Rows rows_here = {};
  OneGrid(const Problem& problem, int first, int layers, bool)
      : InPlaceGrid<T, L, Rows>(problem, first, layers, 0, rows_here) {}
  double update_layers(int begin, int end, int step, bool last_step) {
    double sum = 0.0;
    for (int layer = begin; layer < end; ++layer) sum += this->update_layer(layer, step, last_step);
    return sum * this->speed_unit();
  }
  RunFacts facts() const { return cpu_facts<T, L>(1, {{"vvl", this->vvl()}}); }
};

/// A step is a kernel, in which each unit of a processor updates its layers.
struct InUnits {
  template <class Grid>
  static void run(Grid& grid, std::span<double> speeds, const Workers&) {
    run_steps(speeds, [&](int step, double* sums) {
      each_unit([=, grid = &grid, is_last = step + 1 == std::ssize(speeds)](std::int64_t me, std::int64_t all) {
        const Range mine = part_of(grid->layers(), me, all);
        sums[me] = grid->update_layers(static_cast<int>(mine.begin), static_cast<int>(mine.end), step, is_last);
      });
    });
  }
};

template <bool in_place>
struct Of {
  template <class T, class L>
  using Units = StripSolver<T, L, InUnits, std::conditional_t<in_place, OneGrid<T, L>, Strip<T, L>>>;
  template <class T, class L>
  using Items = InItems<T, L, in_place>;

  static std::unique_ptr<Solver> make(const Problem& problem, const Options& asked) {
    if (reaches_host()) return make_solver<Units>(problem, asked.precision, start_workers(asked), asked);
    return make_solver<Items>(problem, asked.precision);
  }
};

const Variant in_place = {.name = "in-place",
                          .summary = "one grid, updated in place, one kernel per step",
                          .kinds = {D3Q19::name},
                          .make = Of<true>::make};
const Variant fused = {.name = "fused",
                       .summary = "structure of arrays, two grids, one kernel per step",
                       .role = Role::like_for_like,
                       .kinds = {D3Q19::name},
                       .make = Of<false>::make};

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, lbm::workload, {&textbook, &in_place, &fused});
}
