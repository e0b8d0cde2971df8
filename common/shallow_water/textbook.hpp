// Shared by the textbook variants of the models: cells in this machine's memory, and the step of a row. The loops over
// the rows are in the models' files.
//
//     half = (a + b)/2 - dt/2 (F(b) - F(a))          between all neighbours a and b
//     cell -= dt (F(half below) - F(half above) + F(half right) - F(half left))
//     F = (momentum along, along^2/h + g/2 h^2, along across/h)
#pragma once

#include <utility>

#include "common/run/workers.hpp"
#include "common/shallow_water/cells.hpp"

namespace boltzmark::shallow_water {

extern const target::LayerEntry workload;
extern const target::HostRuns on_host;

template <class T>
class Textbook : public target::Run {
 public:
  explicit Textbook(Workers workers = {}) : workers_(std::move(workers)) {}

  void init(const target::Problem& problem) override {
    problem_ = &problem;
    rows_ = problem.size[0];
    columns_ = problem.size[1];
    for (std::size_t value = 0; value < names.size(); ++value) {
      const auto& start = array_of(problem.start, names[value]);
      water_[value].assign(start.begin(), start.end());
    }
    below_ = beside_ = water_;
  }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) {
      reflect();
      step();
    }
  }
  target::Arrays results() override {
    reflect();
    target::Arrays all;
    for (std::size_t value = 0; value < names.size(); ++value)
      all.push_back({names[value], {water_[value].begin(), water_[value].end()}});
    return all;
  }
  /// Two loops: three values are read and six written, then nine read and three written. Seven divisions, and eight.
  RunFacts facts() const override {
    return workers_.with({.bytes_per_update = 21.0 * sizeof(T),
                          .flops_per_update = 98.0,
                          .operations_per_update = {{operation::division, 15.0}},
                          .fetched_per_update = 6.0 * sizeof(T)});
  }

 protected:
  virtual void step() = 0;

  /// Half a step: values between the cells of a row and those below and beside them.
  void half_step(std::int64_t row) {
    auto& [h, u, v] = water_;
    auto& [hx, ux, vx] = below_;
    auto& [hy, uy, vy] = beside_;
    const std::int64_t columns = columns_;
    const auto half = [](T a, T b, T flux_a, T flux_b) { return (a + b) / 2 - dt / 2 * (flux_b - flux_a); };
    for (std::int64_t a = row * columns; a < (row + 1) * columns - 1; ++a) {
      const std::int64_t below = a + columns, next = a + 1;
      const T cross = crossing(u[a], v[a], h[a]);
      hx[a] = half(h[a], h[below], u[a], u[below]);
      ux[a] = half(u[a], u[below], pressure(u[a], h[a]), pressure(u[below], h[below]));
      vx[a] = half(v[a], v[below], cross, crossing(u[below], v[below], h[below]));
      hy[a] = half(h[a], h[next], v[a], v[next]);
      uy[a] = half(u[a], u[next], cross, crossing(u[next], v[next], h[next]));
      vy[a] = half(v[a], v[next], pressure(v[a], h[a]), pressure(v[next], h[next]));
    }
  }
  /// The whole step of a row's cells.
  void whole_step(std::int64_t row) {
    auto& [h, u, v] = water_;
    const auto& [hx, ux, vx] = below_;
    const auto& [hy, uy, vy] = beside_;
    const std::int64_t columns = columns_;
    for (std::int64_t i = row * columns + 1; i < (row + 1) * columns - 1; ++i) {
      const std::int64_t above = i - columns, left = i - 1;
      h[i] -= dt * (ux[i] - ux[above] + vy[i] - vy[left]);
      u[i] -= dt * (pressure(ux[i], hx[i]) - pressure(ux[above], hx[above]) + crossing(uy[i], vy[i], hy[i]) -
                    crossing(uy[left], vy[left], hy[left]));
      v[i] -= dt * (crossing(ux[i], vx[i], hx[i]) - crossing(ux[above], vx[above], hx[above]) + pressure(vy[i], hy[i]) -
                    pressure(vy[left], hy[left]));
    }
  }

  Workers workers_;
  const target::Problem* problem_ = nullptr;
  std::int64_t rows_ = 0, columns_ = 0;
  /// Of cells; between a cell and the one below; between a cell and the next of its row.
  std::array<std::vector<T>, 3> water_, below_, beside_;

 private:
  static constexpr T dt = static_cast<T>(shallow_water::time_step), g = static_cast<T>(shallow_water::g);
  static T pressure(T along, T h) { return along * along / h + g / 2 * h * h; }
  static T crossing(T u, T v, T h) { return u * v / h; }

  void reflect() {
    for (std::size_t value = 0; value < names.size(); ++value) {
      T* const cell = water_[value].data();
      for (std::int64_t row = 0; row < rows_; ++row) {
        T* const first = cell + row * columns_;
        first[0] = value == 2 ? -first[1] : first[1];
        first[columns_ - 1] = value == 2 ? -first[columns_ - 2] : first[columns_ - 2];
      }
      for (std::int64_t column = 0; column < columns_; ++column) {
        T *const first = cell + column, *const last = first + (rows_ - 1) * columns_;
        *first = value == 1 ? -first[columns_] : first[columns_];
        *last = value == 1 ? -last[-columns_] : last[-columns_];
      }
    }
  }
};

}  // namespace boltzmark::shallow_water
