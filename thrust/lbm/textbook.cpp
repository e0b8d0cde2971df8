// Textbook: lattice Boltzmann as a student of Thrust writes it. A time step is one transform_reduce over all cells.
//
//     for every cell      read from the grid `from`          pull: what moves here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
#include "thrust/on_system.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::by_thrust {
using namespace lbm;
namespace {

template <class T, class L>
class Textbook : public OnSystem<Solver> {
 public:
  using OnSystem<Solver>::OnSystem;
  using Cell = Populations<T, L>;

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(problem.cells()));
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    constants_ = make_relaxation<T, L>(p_);
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    std::vector<Cell> cells(solid.size());
    // With the body force of the first step; that of a later one is the end of the step before.
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const auto row = static_cast<int>(cell / p_.nx);
      cells[cell] = start_of(p_, static_cast<int>(cell % p_.nx), row % p_.ny, row / p_.ny, solid[cell] != 0,
                             row % p_.ny == p_.driven_row(), constants_);
    }
    for (auto& grid : grids_) grid = in_system(cells);
    solid_ = in_system(solid);
    pushes_ = in_system(wall_pushes<L>(problem));
  }

  /// Updates a cell, and returns |u| of a fluid one.
  struct Update {
    const Cell* from;
    Cell* to;
    const std::uint8_t* solid;
    int nx, ny, rows, driven_row;
    Relaxation<T, L> constants;

    KERNEL_FN double operator()(std::int64_t cell) const {
      return update(cell, std::make_integer_sequence<int, L::directions>{});
    }
    template <int... I>
    KERNEL_FN double update(std::int64_t cell, std::integer_sequence<int, I...>) const {
      const int x = static_cast<int>(cell % nx), row = static_cast<int>(cell / nx), y = row % ny, plane = row - y;
      const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
      const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
      const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
      const Cell arrived = {
          {from[static_cast<std::int64_t>(planes[1 - Direction<L, I>::z] + lines[1 - Direction<L, I>::y]) * nx +
                columns[1 - Direction<L, I>::x]]
               .f[I]...}};
      T speed = 0;
      to[cell] = update_cell(arrived, moments_of(arrived, constants), solid[cell] != 0, solid[cell], y == driven_row,
                             constants, &speed);
      return static_cast<double>(speed * constants.speed_unit);
    }
  };

  /// What a moving wall gives to a population that has just left it.
  struct Push {
    Cell* to;
    KERNEL_FN void operator()(const WallPush& push) const { to[push.cell].f[push.direction] += T(push.momentum); }
  };

  void run(int steps, std::span<double> av_vels) override {
    const thrust::counting_iterator<std::int64_t> first(0), last(p_.cells());
    for (int step = 0; step < steps; ++step) {
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      const Update update = {data_of(grids_[0]), data_of(grids_[1]), data_of(solid_), p_.nx, p_.ny,
                             p_.ny * p_.nz,      driven_row,         constants_};
      av_vels[step] =
          thrust::transform_reduce(on_system(), first, last, update, 0.0, thrust::plus<double>()) / fluid_cells_;
      thrust::for_each(on_system(), pushes_.begin(), pushes_.end(), Push{data_of(grids_[1])});
      grids_[0].swap(grids_[1]);
    }
  }

  void collect(State& state) override {
    const auto host = on_host(grids_[0]);
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return host[static_cast<std::size_t>(row) * p_.nx + x].f[i]; });
  }

  RunFacts facts() const override { return on_system_of(cpu_facts<T, L>(2)); }

 private:
  Parameters p_;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> constants_;
  Values<std::uint8_t> solid_;
  Values<WallPush> pushes_;
  Values<Cell> grids_[2];
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("array of structs, two grids, one transform_reduce per step");

}  // namespace boltzmark::by_thrust
