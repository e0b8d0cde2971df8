// Shallow water on a target: the cells inside the border are the lattice, the border is its halo. Ranks have strips of
// rows.
#pragma once

#include "common/shallow_water/cells.hpp"
#include "common/target/on_target.hpp"

// After all others: its words are macros.
#include "common/shallow_water/shallow_water.h"
#include "common/target/border.hpp"

namespace boltzmark::shallow_water {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T, typename CodeOn<Target>::Field;

  static Lattice lattice(const Problem& problem, const Share& share) {
    const std::int64_t rows = problem.size[0] - 2;
    return Lattice::plane(static_cast<int>(problem.size[1] - 2), static_cast<int>(share.end(rows) - share.begin(rows)));
  }

  Code(Target& target, const Problem& problem, const Share& share, int form)
      : CodeOn<Target>(target, problem, share, form), lattice_(target.lattice()) {
    now_ = target_.make(3);
    next_ = target_.make(3);
    if (form_ == Form::array) beside_ = target_.make(3);
  }

  void start() {
    const std::int64_t columns = problem_.size[1], first = share_.begin(problem_.size[0] - 2);
    const Sites with_border = lattice_.box(-1, -1, 0, lattice_.nx() + 2, lattice_.ny() + 2, 1);
    for (int value = 0; value < 3; ++value)
      bring(target_, now_, value, with_border, array_of(problem_.start, names[value]).data() + first * columns);
  }

  void step() {
    if (form_ != Form::array && target_.is_site_by_site()) {
      Sites threads = lattice_.interior();
      threads.rows = (threads.rows + rows_at_once - 1) / rows_at_once;
      threads.row_pitch *= rows_at_once;
      target_.template launch<1>(TARGET_KERNEL(step_down_rows), threads, now_, next_, lattice_.row_pitch(),
                                 rows_at_once, lattice_.ny(), lattice_.nx(), dt_, half_g_);
    } else {
      fill_borders();
      if (form_ == Form::array) return step_by_statements();
      target_.launch(TARGET_KERNEL(step_of_cells), lattice_.interior(), now_, next_, dt_, half_g_);
    }
    std::swap(now_, next_);
  }

  Arrays results() {
    Cells water = {problem_.size[0], problem_.size[1]};
    for (int value = 0; value < 3; ++value) {
      const auto inside = share_.collect(fetch(target_, now_, value, lattice_.interior()));
      if (share_.rank > 0) continue;
      water.values[value].resize(static_cast<std::size_t>(water.rows * water.columns));
      for (std::int64_t row = 1, at = 0; row < water.rows - 1; ++row, at += water.columns - 2)
        std::copy_n(inside.begin() + at, water.columns - 2, water.values[value].begin() + row * water.columns + 1);
    }
    if (share_.rank > 0) return {};
    reflect(water);
    Arrays all;
    for (int value = 0; value < 3; ++value) all.push_back({names[value], std::move(water.values[value])});
    return all;
  }

 private:
  /// Fills columns on either side, and rows above and below, which between ranks come from the neighbours.
  void fill_borders() {
    fill_ends_of_rows(target_, now_, 1, 2);
    if constexpr (requires { now_.memory.data(); }) {
      target_.wait();
      if (share_.exchange) share_.exchange(now_.memory.data(), lattice_, 7, 7);
    }
    fill_rows_beyond(target_, now_, share_.rank == 0, share_.rank == share_.ranks - 1, 1, 0, 1);
  }

  void step_by_statements() {
    const int pitch = lattice_.row_pitch(), nx = lattice_.nx(), ny = lattice_.ny();
    Field &below = next_, &beside = beside_;
    const auto half_step = [&](const Sites& box, Field& edges, int offset, int along) {
      target_.launch(TARGET_KERNEL(edge_height), box, now_, edges, offset, along, half_dt_);
      target_.launch(TARGET_KERNEL(edge_along), box, now_, edges, offset, along, half_dt_, half_g_);
      target_.launch(TARGET_KERNEL(edge_across), box, now_, edges, offset, 3 - along, half_dt_);
    };
    half_step(lattice_.box(0, 0, 0, nx, ny + 1, 1), below, pitch, 1);
    half_step(lattice_.box(0, 0, 0, nx + 1, ny, 1), beside, 1, 2);
    const Sites cells = lattice_.interior();
    target_.launch(TARGET_KERNEL(cell_height), cells, now_, below, beside, dt_);
    target_.launch(TARGET_KERNEL(cell_momentum), cells, now_, below, pitch, beside, 1, 1, dt_, half_g_);
    target_.launch(TARGET_KERNEL(cell_momentum), cells, now_, beside, 1, below, pitch, 2, dt_, half_g_);
  }

  static constexpr int rows_at_once = 4;  // 3000 rows give some 17 times as many threads as an H200 holds
  static constexpr T dt_ = static_cast<T>(time_step), half_dt_ = static_cast<T>(time_step / 2),
                     half_g_ = static_cast<T>(g / 2);

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_, CodeOn<Target>::form_;

  Lattice lattice_;
  Field now_, next_, beside_;
};

}  // namespace boltzmark::shallow_water
