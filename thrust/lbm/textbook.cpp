// Textbook: lattice Boltzmann as a student of Thrust writes it. A time step is one transform_reduce over all cells:
// each reads the populations moving to it from one grid, and writes those leaving it to the other
// (common/lbm/pull.hpp).
//
// A grid is an array of structs in a processor's memory. In a GPU's, where neighbouring threads have neighbouring
// cells, it is an array for each direction.
#include "thrust/on_system.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/pull.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::by_thrust {
using namespace lbm;
namespace {

/// A grid: population i of a cell.
template <class T, class L>
struct Grid {
  T* values;
  std::int64_t cells;
  KERNEL_FN T& operator()(std::int64_t cell, int i) const {
    return values[is_gpu ? i * cells + cell : cell * L::directions + i];
  }
};

template <class T, class L>
struct Textbook : Solver {
  void init(const Problem& problem) override {
    p_ = problem.parameters;
    require_memory("two grids and a copy", 3.0 * sizeof(T) * L::directions * static_cast<double>(p_.cells()));
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    update_ = {make_relaxation<T, L>(p_), p_.nx, p_.ny, p_.ny * p_.nz};
    host_.resize(static_cast<std::size_t>(p_.cells()) * L::directions);
    start_pulling(problem, solid, update_.constants, of_host());
    grids_[0] = grids_[1] = host_;
    solid_ = solid;
    update_.solid = thrust::raw_pointer_cast(solid_.data());
    pushes_ = wall_pushes<L>(problem);
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      update_.driven_row = step == steps - 1 ? -1 : p_.driven_row();
      update_.from = {thrust::raw_pointer_cast(grids_[0].data()), p_.cells()};
      const Grid<T, L> to = update_.to = {thrust::raw_pointer_cast(grids_[1].data()), p_.cells()};
      av_vels[step] =
          thrust::transform_reduce(on_system(), Numbers(0), Numbers(p_.cells()), update_, 0.0, thrust::plus<double>()) /
          fluid_cells_;
      // The push of moving walls on the populations that have just left them.
      const auto push = KERNEL_LAMBDA(const WallPush& one) { to(one.cell, one.direction) += T(one.momentum); };
      thrust::for_each(on_system(), pushes_.begin(), pushes_.end(), push);
      grids_[0].swap(grids_[1]);
    }
  }

  void collect(State& state) override {
    thrust::copy(grids_[0].begin(), grids_[0].end(), host_.begin());
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return of_host()(std::int64_t{row} * p_.nx + x, i); });
  }
  RunFacts facts() const override { return start_workers({}).with(cpu_facts<T, L>(2)); }

  Grid<T, L> of_host() { return {host_.data(), p_.cells()}; }

  Parameters p_;
  double fluid_cells_ = 0.0;
  Pull<T, L, Grid<T, L>> update_;
  std::vector<T> host_;
  thrust::device_vector<T> grids_[2];
  thrust::device_vector<std::uint8_t> solid_;
  thrust::device_vector<WallPush> pushes_;
};

}  // namespace

extern const Variant textbook =
    textbook_of<Textbook>("two grids in the layout of the system, one transform_reduce per step");

}  // namespace boltzmark::by_thrust
