#include "common/lbm/oracle.hpp"

#include <array>
#include <cmath>

#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {
namespace {

using Cell = std::array<double, Lattice::directions>;

class Reference {
 public:
  explicit Reference(const Problem& problem)
      : p_(problem.parameters),
        solid_(problem.solid_mask()),
        fluid_cells_(static_cast<double>(problem.fluid_cells())),
        cells_(solid_.size()),
        arrived_(solid_.size()) {
    for (Cell& f : cells_)
      for (int i = 0; i < Lattice::directions; ++i) f[i] = Lattice::weight[i] * p_.density;
  }

  void step() {
    accelerate();
    propagate();
    rebound();
    collide();
  }

  double average_velocity() const {
    double total = 0.0;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (!solid_[cell]) {
        const auto [density, ux, uy] = macroscopic(cells_[cell]);
        total += std::sqrt(ux * ux + uy * uy);
      }
    return total / fluid_cells_;
  }

  State state() const {
    State s;
    s.resize(static_cast<std::int64_t>(cells_.size()));
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (solid_[cell]) {
        s.density[cell] = p_.density;
        continue;
      }
      const auto [density, ux, uy] = macroscopic(cells_[cell]);
      s.density[cell] = density;
      s.ux[cell] = ux;
      s.uy[cell] = uy;
    }
    return s;
  }

 private:
  struct Macroscopic {
    double density, ux, uy;
  };

  static Macroscopic macroscopic(const Cell& f) {
    double density = 0.0, jx = 0.0, jy = 0.0;
    for (int i = 0; i < Lattice::directions; ++i) {
      density += f[i];
      jx += Lattice::cx[i] * f[i];
      jy += Lattice::cy[i] * f[i];
    }
    return {density, jx / density, jy / density};
  }

  std::size_t index(int x, int y) const { return static_cast<std::size_t>(y) * p_.nx + x; }

  void accelerate() {
    const double a1 = p_.density * p_.accel / 9.0, a2 = p_.density * p_.accel / 36.0;
    for (int x = 0; x < p_.nx; ++x) {
      const std::size_t cell = index(x, p_.driven_row());
      Cell& f = cells_[cell];
      if (solid_[cell] || !(f[3] - a1 > 0.0 && f[6] - a2 > 0.0 && f[7] - a2 > 0.0)) continue;
      f[1] += a1;
      f[5] += a2;
      f[8] += a2;
      f[3] -= a1;
      f[6] -= a2;
      f[7] -= a2;
    }
  }

  void propagate() {
    for (int y = 0; y < p_.ny; ++y)
      for (int x = 0; x < p_.nx; ++x)
        for (int i = 0; i < Lattice::directions; ++i) {
          const int to_x = (x + Lattice::cx[i] + p_.nx) % p_.nx;
          const int to_y = (y + Lattice::cy[i] + p_.ny) % p_.ny;
          arrived_[index(to_x, to_y)][i] = cells_[index(x, y)][i];
        }
    cells_.swap(arrived_);
  }

  void rebound() {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (solid_[cell]) {
        const Cell f = cells_[cell];
        for (int i = 0; i < Lattice::directions; ++i) cells_[cell][i] = f[Lattice::opposite[i]];
      }
  }

  void collide() {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (solid_[cell]) continue;
      Cell& f = cells_[cell];
      const auto [density, ux, uy] = macroscopic(f);
      for (int i = 0; i < Lattice::directions; ++i) {
        const double cu = Lattice::cx[i] * ux + Lattice::cy[i] * uy;
        const double equilibrium =
            Lattice::weight[i] * density * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
        f[i] += p_.omega * (equilibrium - f[i]);
      }
    }
  }

  const Parameters p_;
  const std::vector<std::uint8_t> solid_;
  const double fluid_cells_;
  std::vector<Cell> cells_, arrived_;
};

}  // namespace

Answer solve_reference(const Problem& problem, int steps) {
  Reference reference(problem);
  Answer answer;
  answer.av_vels.reserve(static_cast<std::size_t>(steps));
  for (int step = 0; step < steps; ++step) {
    reference.step();
    answer.av_vels.push_back(reference.average_velocity());
  }
  answer.state = reference.state();
  return answer;
}

}  // namespace boltzmark::lbm
