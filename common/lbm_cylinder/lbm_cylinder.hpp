// The flow past a cylinder on a target: rows of the lattice are columns of the channel, of which a rank has some.
#pragma once

#include "common/lbm_cylinder/forms.hpp"
#include "common/target/on_target.hpp"

// Must come after all others, because its words are macros.
#include "common/lbm_cylinder/lbm_cylinder.h"
#include "common/target/border.hpp"

namespace boltzmark::lbm_cylinder {

template <class Target>
class Code : public CodeOn<Target> {
 public:
  using typename CodeOn<Target>::T, typename CodeOn<Target>::Field, CodeOn<Target>::CodeOn;

  static Lattice lattice(const Problem& problem, const Share& share) {
    return Lattice::plane(static_cast<int>(problem.size[0]),
                          static_cast<int>(share.end(problem.size[1]) - share.begin(problem.size[1])));
  }

  /// The start, given after a move, is moved back: each population to its own neighbour.
  void start() {
    const Lattice& lattice = target_.lattice();
    const std::int64_t height = problem_.size[0], width = problem_.size[1], first = share_.begin(width);
    std::vector<double> column_by_column(static_cast<std::size_t>(height * lattice.ny()));
    const auto fill = [&](Field& field, int value, auto&& of) {
      for (std::int64_t x = 0, at = 0; x < lattice.ny(); ++x)
        for (std::int64_t y = 0; y < height; ++y) column_by_column[at++] = of(first + x, y);
      bring(target_, field, value, lattice.interior(), column_by_column.data());
    };
    const auto& f = array_of(problem_.start, "fIn");
    for (int i = 0; i < directions; ++i)
      fill(now_, i, [&](std::int64_t x, std::int64_t y) {
        const std::int64_t to_x = (x + cx[i] + width) % width, to_y = (y + cy[i] + height) % height;
        return f[static_cast<std::size_t>((i * width + to_x) * height + to_y)];
      });
    fill(solid_, 0, [&](std::int64_t x, std::int64_t y) { return is_obstacle(x, y, height, width) ? 1.0 : 0.0; });
  }

  void step() {
    const Lattice& lattice = target_.lattice();
    const int height = lattice.nx(), columns = lattice.ny(), is_pressure = problem_.method == "pressure" ? 1 : 0;
    const T omega_of = static_cast<T>(problem_.numbers[omega]), speed = static_cast<T>(problem_.numbers[largest_speed]);
    if (target_.is_site_by_site()) {
      target_.template launch<1>(TARGET_KERNEL(whole_channel), lattice.interior(), now_, next_, solid_, omega_of, speed,
                                 height, columns, is_pressure);
    } else {
      const bool has_inlet = share_.rank == 0, has_outlet = share_.rank == share_.ranks - 1;
      const int first = has_inlet ? 1 : 0, end = columns - (has_outlet ? 1 : 0);
      wrap_halo();
      target_.launch(TARGET_KERNEL(inside), lattice.box(0, first, 0, height, end - first, 1), now_, next_, solid_,
                     omega_of);
      Sites open = lattice.box(0, has_inlet ? 0 : columns - 1, 0, height, has_inlet + has_outlet, 1);
      open.row_pitch = (columns - 1) * lattice.row_pitch();
      if (open.rows > 0)
        target_.launch(TARGET_KERNEL(open_ends), open, now_, next_, solid_, speed, lattice.site(0, 0, 0),
                       lattice.row_pitch(), height, is_pressure);
    }
    std::swap(now_, next_);
  }

  Arrays results() {
    wrap_halo();
    target_.template launch<1>(TARGET_KERNEL(move), target_.lattice().interior(), now_, next_);
    NamedArray f = {"fIn", {}};
    for (int i = 0; i < directions; ++i) {
      const auto of_all = share_.collect(fetch(target_, next_, i, target_.lattice().interior()));
      f.values.insert(f.values.end(), of_all.begin(), of_all.end());
    }
    return {std::move(f)};
  }

 private:
  /// The halo is periodic: filled along y, then along x, including the values filled along y.
  void wrap_halo() {
    const Lattice& lattice = target_.lattice();
    fill_ends_of_rows(target_, now_, lattice.nx());
    if (!share_.exchange) return fill_rows_beyond(target_, now_, true, true, lattice.ny(), 1);
    target_.wait();
    constexpr unsigned long right = 1ul << 1 | 1ul << 5 | 1ul << 8, left = 1ul << 3 | 1ul << 6 | 1ul << 7;
    if constexpr (requires { now_.memory.data(); }) share_.exchange(now_.argument(), lattice, right, left);
  }

  using CodeOn<Target>::target_, CodeOn<Target>::problem_, CodeOn<Target>::share_;

  Field now_ = target_.make(directions), next_ = target_.make(directions), solid_ = target_.make(1);
};

}  // namespace boltzmark::lbm_cylinder
