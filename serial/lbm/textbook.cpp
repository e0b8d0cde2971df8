// Textbook: the method as it is written down. Array of structs, one loop per function, two grids; no vectors,
// no fusion. Compiled without -march=native, so that it stays the same baseline on every machine of an
// architecture.
//
//   accelerate   cells      read and write one row
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (obstacles)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read
#include <cmath>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

/// The phases of a step over arrays of cells. Populations are shifted like everywhere else: speeds[i] = f_i -
/// w_i * density.
template <class Real>
struct Phases {
  struct Cell {
    Real speeds[Lattice::directions];
  };

  Parameters params;
  int nx, ny;
  Real density0, omega;
  std::vector<std::uint8_t> obstacles;
  std::vector<Cell> cells, scratch;

  explicit Phases(const Problem& problem)
      : params(problem.parameters),
        nx(params.nx),
        ny(params.ny),
        density0(Real(params.density)),
        omega(Real(params.omega)),
        obstacles(problem.solid_mask()),
        cells(obstacles.size(), Cell{}),
        scratch(obstacles.size(), Cell{}) {}

  void accelerate_flow() {
    const auto c = make_relaxation<double>(params);
    const Real w1 = Real(c.accel_axis), w2 = Real(c.accel_diagonal);
    const Real above1 = Real(c.threshold_axis), above2 = Real(c.threshold_diagonal);
    const int jj = ny - 2;
    for (int ii = 0; ii < nx; ++ii) {
      Real* const f = cells[ii + static_cast<std::size_t>(jj) * nx].speeds;
      if (!obstacles[ii + static_cast<std::size_t>(jj) * nx] && f[3] > above1 && f[6] > above2 &&
          f[7] > above2) {
        f[1] += w1;
        f[5] += w2;
        f[8] += w2;
        f[3] -= w1;
        f[6] -= w2;
        f[7] -= w2;
      }
    }
  }

  void propagate() {
    for (int jj = 0; jj < ny; ++jj)
      for (int ii = 0; ii < nx; ++ii) {
        const std::size_t y_n = static_cast<std::size_t>((jj + 1) % ny) * nx;
        const int x_e = (ii + 1) % nx;
        const std::size_t y_s = static_cast<std::size_t>(jj == 0 ? ny - 1 : jj - 1) * nx;
        const int x_w = ii == 0 ? nx - 1 : ii - 1;
        const std::size_t y = static_cast<std::size_t>(jj) * nx;
        Real* const f = scratch[ii + y].speeds;
        f[0] = cells[ii + y].speeds[0];
        f[1] = cells[x_w + y].speeds[1];
        f[2] = cells[ii + y_s].speeds[2];
        f[3] = cells[x_e + y].speeds[3];
        f[4] = cells[ii + y_n].speeds[4];
        f[5] = cells[x_w + y_s].speeds[5];
        f[6] = cells[x_e + y_s].speeds[6];
        f[7] = cells[x_e + y_n].speeds[7];
        f[8] = cells[x_w + y_n].speeds[8];
      }
  }

  void rebound() {
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      if (obstacles[cell])
        for (int kk = 0; kk < Lattice::directions; ++kk)
          cells[cell].speeds[kk] = scratch[cell].speeds[Lattice::opposite[kk]];
  }

  void collision() {
    // The weights 4/9, 1/9 and 1/36 as divisors, which are exact: a rounded 1/9 adds a little momentum in
    // every cell and every step, always the same way, and costs two digits over a long run.
    const Real divisor[3] = {Real(2.25), Real(9), Real(36)};
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (obstacles[cell]) continue;
      const Real* const f = scratch[cell].speeds;
      Real shift = f[0];
      for (int kk = 1; kk < Lattice::directions; ++kk) shift += f[kk];
      const Real local_density = density0 + shift;
      const Real u_x = (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / local_density;
      const Real u_y = (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / local_density;
      const Real u_sq = u_x * u_x + u_y * u_y;
      const Real u[Lattice::directions] = {Real(0),       u_x,       u_y,       Real(0) - u_x,
                                           Real(0) - u_y, u_x + u_y, u_y - u_x, Real(0) - u_x - u_y,
                                           u_x - u_y};
      for (int kk = 0; kk < Lattice::directions; ++kk) {
        // feq_i - w_i * density0, with the density's own share written as its shift so that no digits are
        // lost
        const Real d_equ =
            (shift + local_density * (u[kk] * Real(3) + u[kk] * u[kk] * Real(4.5) - u_sq * Real(1.5))) /
            divisor[kk == 0  ? 0
                    : kk < 5 ? 1
                             : 2];
        cells[cell].speeds[kk] = f[kk] + omega * (d_equ - f[kk]);
      }
    }
  }

  double av_velocity() const {
    Real u_x, u_y;
    double tot_u = 0.0;  // in double, or a million cells would cost two digits
    std::int64_t tot_cells = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (obstacles[cell]) continue;
      const Real* const f = cells[cell].speeds;
      Real local_density = density0;
      for (int kk = 0; kk < Lattice::directions; ++kk) local_density += f[kk];
      u_x = (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / local_density;
      u_y = (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / local_density;
      tot_u += static_cast<double>(square_root(u_x * u_x + u_y * u_y));
      ++tot_cells;
    }
    return tot_u / static_cast<double>(tot_cells);
  }

  double timestep() {
    accelerate_flow();
    propagate();
    rebound();
    collision();
    return av_velocity();
  }
};

/// FLOPs of a fluid cell: collision and average velocity on a small grid without obstacles.
double counted_textbook_flops() {
  Problem problem;
  problem.parameters = {
      .nx = 4, .ny = 4, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.01, .omega = 1.0};
  Phases<Counted> phases(problem);
  return count_flops([&phases] {
           phases.collision();
           phases.av_velocity();
         }) /
         static_cast<double>(problem.cells());
}

template <class Real>
class Textbook : public Solver {
 public:
  void init(const Problem& problem) override {
    require_memory("two grids",
                   2.0 * sizeof(typename Phases<Real>::Cell) * static_cast<double>(problem.cells()));
    phases_.emplace(problem);
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) av_vels[step] = phases_->timestep();
  }

  void collect(State& state) override {
    for (std::size_t cell = 0; cell < phases_->cells.size(); ++cell) {
      Populations<double> f;
      for (int i = 0; i < Lattice::directions; ++i) f.f[i] = phases_->cells[cell].speeds[i];
      store_macroscopic(f, phases_->params.density, state.ux[cell], state.uy[cell], state.density[cell]);
    }
  }

  RunFacts facts() const override {
    RunFacts facts = cpu_facts<Real>(2);
    facts.flops_per_update = counted_textbook_flops();
    return facts;
  }

 private:
  std::optional<Phases<Real>> phases_;
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>();
  return std::make_unique<Textbook<float>>();
}

}  // namespace boltzmark::serial
