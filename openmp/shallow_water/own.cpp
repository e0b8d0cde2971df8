// Textbook: two parallel loops over the rows, over all edges, and over all cells.
//
//     half = (a + b)/2 - dt/2 (F(b) - F(a))          between all neighbours a and b
//     cell -= dt (F(half below) - F(half above) + F(half right) - F(half left))
//     F = (momentum along, along^2/h + g/2 h^2, along across/h)
#include "common/shallow_water/textbook.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook final : public OnThreads<shallow_water::Textbook<T>> {
 public:
  using OnThreads<shallow_water::Textbook<T>>::OnThreads;

 private:
  static constexpr T dt = static_cast<T>(shallow_water::time_step), g = static_cast<T>(shallow_water::g);
  static T pressure(T along, T h) { return along * along / h + g / 2 * h * h; }
  static T crossing(T u, T v, T h) { return u * v / h; }

  void step() override {
    auto& [h, u, v] = this->water_;
    auto& [hx, ux, vx] = this->below_;
    auto& [hy, uy, vy] = this->beside_;
    const std::int64_t rows = this->rows_, columns = this->columns_;
    const auto half = [](T a, T b, T flux_a, T flux_b) { return (a + b) / 2 - dt / 2 * (flux_b - flux_a); };
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t row = 0; row < rows - 1; ++row)
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
#pragma omp parallel for num_threads(this->threads_)
    for (std::int64_t row = 1; row < rows - 1; ++row)
      for (std::int64_t i = row * columns + 1; i < (row + 1) * columns - 1; ++i) {
        const std::int64_t above = i - columns, left = i - 1;
        h[i] -= dt * (ux[i] - ux[above] + vy[i] - vy[left]);
        u[i] -= dt * (pressure(ux[i], hx[i]) - pressure(ux[above], hx[above]) + crossing(uy[i], vy[i], hy[i]) -
                      crossing(uy[left], vy[left], hy[left]));
        v[i] -= dt * (crossing(ux[i], vx[i], hx[i]) - crossing(ux[above], vx[above], hx[above]) +
                      pressure(vy[i], hy[i]) - pressure(vy[left], hy[left]));
      }
  }
};

}  // namespace
}  // namespace boltzmark::openmp

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {textbook_of<Run, openmp::Textbook>("two loops over threads: half a step between cells, then a whole one")};
}
