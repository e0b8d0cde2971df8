// Two grids on the device, shared by the variants.
#pragma once

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"
#include "openacc/device.hpp"

namespace boltzmark::openacc {
using namespace lbm;

/// A grid is an array of rows (of all planes), and a row is an array of directions with nx populations each.
template <class T, class L>
class Grids : public Solver {
 public:
  explicit Grids(const Options& asked) : device_(choose_device(asked)) {}

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    const auto cells = static_cast<std::size_t>(p_.cells());
    const double bytes = 2.0 * L::directions * sizeof(T) * static_cast<double>(cells);
    require_memory("two grids", bytes);
    require_memory_on(device_, bytes);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    constants_ = make_relaxation<T, L>(p_);
    for (auto& grid : grids_) grid = DeviceArray<T>(cells * L::directions);
    solid_ = DeviceArray<std::uint8_t>(cells);
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    std::copy(solid.begin(), solid.end(), solid_.data());
    // Includes the body force of the first step; that of each later step is applied at the end of the step before.
    for (int row = 0; row < p_.ny * p_.nz; ++row)
      for (int x = 0; x < p_.nx; ++x) {
        const bool is_solid = solid[static_cast<std::size_t>(row) * p_.nx + x] != 0;
        const auto cell =
            start_of(p_, x, row % p_.ny, row / p_.ny, is_solid, row % p_.ny == p_.driven_row(), constants_);
        for (int i = 0; i < L::directions; ++i) grids_[0].data()[at(i, x, row, p_.nx)] = cell.f[i];
      }
    grids_[0].to_device();
    solid_.to_device();
    const std::vector<WallPush> pushes = wall_pushes<L>(problem);
    places_ = DeviceArray<std::int64_t>(pushes.size());
    gains_ = DeviceArray<T>(pushes.size());
    for (std::size_t n = 0; n < pushes.size(); ++n) {
      const auto [cell, direction, momentum] = pushes[n];
      places_.data()[n] = at(direction, static_cast<int>(cell % p_.nx), static_cast<int>(cell / p_.nx), p_.nx);
      gains_.data()[n] = T(momentum);
    }
    if (!pushes.empty()) places_.to_device(), gains_.to_device();
  }

  void collect(State& state) override {
    auto& grid = grids_[steps_ % 2];
    grid.to_host();
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return grid.data()[at(i, x, row, p_.nx)]; });
  }
  RunFacts facts() const override {
    RunFacts facts = facts_on(device_, cpu_facts<T, L>(2));
    facts.steps_per_launch = 1;
    return facts;
  }

 protected:
  static KERNEL_FN std::int64_t at(int i, int x, int row, int nx) {
    return (std::int64_t{row} * L::directions + i) * nx + x;
  }

  /// Updates a cell: populations arrive, each from the neighbour against its motion, and are collided, or bounced back
  /// in a solid cell. Returns |u| of a fluid cell.
  static KERNEL_FN double update(const T* from, T* to, const std::uint8_t* solid, int x, int row, int nx, int ny,
                                 int rows, int driven_row, const Relaxation<T, L>& c) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      // The columns, the rows of a plane and the first rows of planes: the previous, this, and the next.
      const int y = row % ny, plane = row - y;
      const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
      const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
      const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
      const Populations<T, L> arrived = {{from[at(
          I, columns[1 - Direction<L, I>::x], planes[1 - Direction<L, I>::z] + lines[1 - Direction<L, I>::y], nx)]...}};
      const bool is_solid = solid[std::int64_t{row} * nx + x] != 0;
      T speed = 0;
      const Populations<T, L> leaving =
          update_cell(arrived, moments_of(arrived, c), is_solid, is_solid, y == driven_row, c, &speed);
      ((to[at(I, x, row, nx)] = leaving.f[I]), ...);
      return static_cast<double>(speed * c.speed_unit);
    }
    (std::make_integer_sequence<int, L::directions>{});
  }

  AccDevice device_;
  Parameters p_;
  double fluid_cells_ = 0.0;
  int steps_ = 0;  ///< of the last run
  Relaxation<T, L> constants_;
  DeviceArray<T> grids_[2];  ///< step s reads grid s % 2
  DeviceArray<std::uint8_t> solid_;
  DeviceArray<std::int64_t> places_;  ///< of populations to which moving walls add `gains_`
  DeviceArray<T> gains_;
};

}  // namespace boltzmark::openacc
