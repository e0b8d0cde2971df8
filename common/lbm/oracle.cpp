#include "common/lbm/check.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <numeric>
#include <optional>
#include <thread>

#include "common/cpu/processors.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {
namespace {

template <class L>
class Reference {
 public:
  explicit Reference(const Problem& problem)
      : p_(problem.parameters),
        solid_(problem.solid_mask()),
        wall_ux_(problem.moving.empty() ? 0 : solid_.size(), 0.0),
        fluid_cells_(static_cast<double>(problem.fluid_cells())),
        cells_(solid_.size()),
        arrived_(solid_.size()),
        speeds_(static_cast<std::size_t>(rows())) {
    for (const auto& wall : problem.moving) wall_ux_[static_cast<std::size_t>(wall.cell)] = wall.ux;
    for (int row = 0; row < rows(); ++row)
      for_each_cell(row, [&](int x, int y, int z, std::size_t cell) {
        const StartCell s = solid_[cell] ? StartCell{} : start_cell(p_, x, y, z);
        cells_[cell] = equilibrium({p_.density * (1.0 + s.density_shift), s.ux, s.uy, s.uz});
      });
  }

  /// Of all planes, one after the other.
  int rows() const { return p_.ny * p_.nz; }

  // A step of a row: the first half before any row's second half, with swap() in between.
  void send(int row) {
    accelerate(row);
    propagate(row);
  }
  void swap() { cells_.swap(arrived_); }
  void receive(int row) {
    rebound(row);
    speeds_[static_cast<std::size_t>(row)] = collide(row);
  }

  double average_velocity() const { return std::accumulate(speeds_.begin(), speeds_.end(), 0.0) / fluid_cells_; }

  State state() const {
    State s;
    s.resize(static_cast<std::int64_t>(cells_.size()), L::dimension);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      if (solid_[cell]) {
        s.density[cell] = p_.density;
        continue;
      }
      const auto [density, ux, uy, uz] = macroscopic(cells_[cell]);
      s.density[cell] = density;
      s.ux[cell] = ux;
      s.uy[cell] = uy;
      if (L::dimension == 3) s.uz[cell] = uz;
    }
    return s;
  }

 private:
  using Cell = std::array<double, L::directions>;
  struct Macroscopic {
    double density, ux, uy, uz;
  };

  static Macroscopic macroscopic(const Cell& f) {
    double density = 0.0, jx = 0.0, jy = 0.0, jz = 0.0;
    for (int i = 0; i < L::directions; ++i) {
      density += f[i];
      jx += L::cx[i] * f[i];
      jy += L::cy[i] * f[i];
      jz += L::cz[i] * f[i];
    }
    return {density, jx / density, jy / density, jz / density};
  }

  static Cell equilibrium(const Macroscopic& m) {
    Cell f;
    for (int i = 0; i < L::directions; ++i) {
      const double cu = L::cx[i] * m.ux + L::cy[i] * m.uy + L::cz[i] * m.uz;
      const double square = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
      f[i] = L::weight[i] * m.density * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * square);
    }
    return f;
  }

  std::size_t index(int x, int y, int z) const { return (static_cast<std::size_t>(z) * p_.ny + y) * p_.nx + x; }

  template <class Visit>
  void for_each_cell(int row, Visit&& visit) const {
    const int y = row % p_.ny, z = row / p_.ny;
    for (int x = 0; x < p_.nx; ++x) visit(x, y, z, index(x, y, z));
  }

  void accelerate(int row) {
    if (row % p_.ny != p_.driven_row()) return;
    for_each_cell(row, [&](int, int, int, std::size_t cell) {
      Cell& f = cells_[cell];
      bool pushed = !solid_[cell];
      for (int i = 0; i < L::directions; ++i)
        if (L::cx[i] < 0 && !(f[i] - gain(i) > 0.0)) pushed = false;
      if (pushed)
        for (int i = 0; i < L::directions; ++i) f[i] += L::cx[i] * gain(i);
    });
  }
  double gain(int i) const { return L::weight[i] * p_.density * p_.accel; }

  void propagate(int row) {
    for_each_cell(row, [&](int x, int y, int z, std::size_t cell) {
      for (int i = 0; i < L::directions; ++i) {
        const int to_x = (x + L::cx[i] + p_.nx) % p_.nx;
        const int to_y = (y + L::cy[i] + p_.ny) % p_.ny;
        const int to_z = (z + L::cz[i] + p_.nz) % p_.nz;
        arrived_[index(to_x, to_y, to_z)][i] = cells_[cell][i];
      }
    });
  }

  /// Populations between two walls, one of them moving, grow each step but never enter the fluid.
  void rebound(int row) {
    for_each_cell(row, [&](int, int, int, std::size_t cell) {
      if (!solid_[cell]) return;
      const Cell f = cells_[cell];
      const double ux = wall_ux_.empty() ? 0.0 : wall_ux_[cell];
      for (int i = 0; i < L::directions; ++i)
        cells_[cell][i] = f[L::opposite[i]] + 6.0 * L::weight[i] * p_.density * L::cx[i] * ux;
    });
  }

  /// The sum of the cells' speeds, which are the same before a collision and after it: density and momentum stay.
  double collide(int row) {
    double speeds = 0.0;
    for_each_cell(row, [&](int, int, int, std::size_t cell) {
      if (solid_[cell]) return;
      Cell& f = cells_[cell];
      const Macroscopic m = macroscopic(f);
      const Cell towards = equilibrium(m);
      for (int i = 0; i < L::directions; ++i) f[i] += p_.omega * (towards[i] - f[i]);
      speeds += std::sqrt(m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
    });
    return speeds;
  }

  const Parameters p_;
  const std::vector<std::uint8_t> solid_;
  std::vector<double> wall_ux_;  ///< of every cell; empty where no wall moves
  const double fluid_cells_;
  std::vector<Cell> cells_, arrived_;
  std::vector<double> speeds_;  ///< sum of each row's
};

/// Each thread has rows of its own. Sums are by rows, so that the answer does not depend on the number of threads.
template <class L>
Answer solve(const Problem& problem, int steps, int threads) {
  Reference<L> reference(problem);
  Answer answer;
  answer.av_vels.reserve(static_cast<std::size_t>(steps) + 1);
  // Where all rows are sent, those of the step before have been received.
  std::barrier all_sent(threads, [&]() noexcept {
    answer.av_vels.push_back(reference.average_velocity());
    reference.swap();
  });
  const auto work = [&](std::int64_t thread) {
    const auto first = static_cast<int>(thread * reference.rows() / threads);
    const auto end = static_cast<int>((thread + 1) * reference.rows() / threads);
    for (int step = 0; step < steps; ++step) {
      for (int row = first; row < end; ++row) reference.send(row);
      all_sent.arrive_and_wait();
      for (int row = first; row < end; ++row) reference.receive(row);
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
  }
  if (steps > 0) {
    answer.av_vels.push_back(reference.average_velocity());
    answer.av_vels.erase(answer.av_vels.begin());  // of no step
  }
  answer.state = reference.state();
  return answer;
}

}  // namespace

double reference_bytes(const Problem& problem) {
  const bool flat = problem.parameters.dimension == 2;
  const double populations = 2.0 * sizeof(double) * (flat ? D2Q9::directions : D3Q19::directions);
  const double walls = 1.0 + (problem.moving.empty() ? 0.0 : sizeof(double));
  return (populations + walls) * static_cast<double>(problem.cells()) + State::bytes(problem);
}

int reference_threads(const Problem& problem) {
  constexpr std::int64_t enough_cells = 8192;  // 100 us and more, ten times as long as a barrier
  return std::clamp(static_cast<int>(problem.cells() / enough_cells), 1, usable_physical_cores());
}

Answer solve_reference(const Problem& problem, int steps, std::optional<int> asked) {
  const int threads = asked.value_or(reference_threads(problem));
  return problem.parameters.dimension == 2 ? solve<D2Q9>(problem, steps, threads)
                                           : solve<D3Q19>(problem, steps, threads);
}

}  // namespace boltzmark::lbm
