#include "common/lbm/check.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <numeric>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "common/cpu/in_parallel.hpp"
#include "common/cpu/processors.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {
namespace {

/// Populations of direction i of all cells are contiguous, so that compilers vectorise over the cells of a row.
template <class L>
class Reference {
 public:
  explicit Reference(const Problem& problem)
      : p_(problem.parameters),
        solid_(problem.solid_mask()),
        wall_ux_(problem.moving.empty() ? 0 : solid_.size(), 0.0),
        fluid_cells_(static_cast<double>(problem.fluid_cells())),
        speeds_(static_cast<std::size_t>(rows())) {
    for (const auto& wall : problem.moving) wall_ux_[static_cast<std::size_t>(wall.cell)] = wall.ux;
    for (int i = 0; i < L::directions; ++i) {
      f_[i].resize(solid_.size());
      arrived_[i].resize(solid_.size());
    }
    for (int row = 0; row < rows(); ++row)
      for (int x = 0; x < p_.nx; ++x) {
        const std::size_t cell = first_of(row) + x;
        const StartCell s = solid_[cell] ? StartCell{} : start_cell(p_, x, row % p_.ny, row / p_.ny);
        for (int i = 0; i < L::directions; ++i)
          f_[i][cell] = equilibrium(i, p_.density * (1.0 + s.density_shift), s.ux, s.uy, s.uz);
      }
  }

  /// For all planes, one after the other.
  int rows() const { return p_.ny * p_.nz; }

  // A step of a row: the first half before any row's second half, with swap() in between.
  void send(int row) {
    accelerate(row);
    propagate(row);
  }
  void swap() { f_.swap(arrived_); }
  void receive(int row) {
    rebound(row);
    speeds_[static_cast<std::size_t>(row)] = collide(row);
  }

  double average_velocity() const { return std::accumulate(speeds_.begin(), speeds_.end(), 0.0) / fluid_cells_; }

  State state() const {
    State s;
    s.resize(static_cast<std::int64_t>(solid_.size()), L::dimension);
    for (std::size_t first = 0; first < solid_.size(); first += most) {
      const Cells m = macroscopic(first, std::min(most, solid_.size() - first));
      for (std::size_t k = 0; k < m.number; ++k) {
        const std::size_t cell = first + k;
        s.density[cell] = m.density[k];
        if (solid_[cell]) continue;
        s.ux[cell] = m.ux[k];
        s.uy[cell] = m.uy[k];
        if (L::dimension == 3) s.uz[cell] = m.uz[k];
      }
    }
    return s;
  }

 private:
  using Populations = std::array<std::vector<double>, L::directions>;
  static constexpr std::size_t most = 64;  // cells at a time
  struct Cells {
    std::size_t number;
    std::array<double, most> density = {}, ux = {}, uy = {}, uz = {};
  };

  /// Each direction is a constant, so that compilers omit terms with zeros.
  template <class Function>
  static void each_direction(const Function& function) {
    const auto call = [&]<int... i>(std::integer_sequence<int, i...>) {
      (function(std::integral_constant<int, i>()), ...);
    };
    call(std::make_integer_sequence<int, L::directions>());
  }

  /// Density and velocity of these cells; for solid ones the density at rest and meaningless velocities.
  Cells macroscopic(std::size_t first, std::size_t cells) const {
    Cells m{cells};
    each_direction([&](auto i) {
      const double* const f = f_[i].data() + first;
      for (std::size_t k = 0; k < cells; ++k) {
        m.density[k] += f[k];
        if (L::cx[i] != 0) m.ux[k] += L::cx[i] * f[k];
        if (L::cy[i] != 0) m.uy[k] += L::cy[i] * f[k];
        if (L::cz[i] != 0) m.uz[k] += L::cz[i] * f[k];
      }
    });
    for (std::size_t k = 0; k < cells; ++k) {
      if (solid_[first + k]) m.density[k] = p_.density;
      m.ux[k] /= m.density[k];
      m.uy[k] /= m.density[k];
      if (L::dimension == 3) m.uz[k] /= m.density[k];
    }
    return m;
  }

  static double equilibrium(int i, double density, double ux, double uy, double uz) {
    return equilibrium(i, density, ux, uy, uz, ux * ux + uy * uy + uz * uz);
  }
  static double equilibrium(int i, double density, double ux, double uy, double uz, double square) {
    double cu = 0.0;
    if (L::cx[i] != 0) cu += L::cx[i] * ux;
    if (L::cy[i] != 0) cu += L::cy[i] * uy;
    if (L::cz[i] != 0) cu += L::cz[i] * uz;
    return L::weight[i] * density * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * square);
  }

  std::size_t first_of(int row) const { return static_cast<std::size_t>(row) * p_.nx; }

  void accelerate(int row) {
    if (row % p_.ny != p_.driven_row()) return;
    for (std::size_t cell = first_of(row); cell < first_of(row + 1); ++cell) {
      bool pushed = !solid_[cell];
      for (int i = 0; i < L::directions; ++i)
        if (L::cx[i] < 0 && !(f_[i][cell] - gain(i) > 0.0)) pushed = false;
      if (pushed)
        for (int i = 0; i < L::directions; ++i) f_[i][cell] += L::cx[i] * gain(i);
    }
  }
  double gain(int i) const { return L::weight[i] * p_.density * p_.accel; }

  void propagate(int row) {
    for (int i = 0; i < L::directions; ++i) {
      const int to_y = (row % p_.ny + L::cy[i] + p_.ny) % p_.ny, to_z = (row / p_.ny + L::cz[i] + p_.nz) % p_.nz;
      const double* const from = f_[i].data() + first_of(row);
      std::rotate_copy(from, from + (p_.nx - L::cx[i]) % p_.nx, from + p_.nx,
                       arrived_[i].data() + first_of(to_z * p_.ny + to_y));
    }
  }

  /// Populations between two walls, one of them moving, grow each step but never enter the fluid.
  void rebound(int row) {
    for (std::size_t cell = first_of(row); cell < first_of(row + 1); ++cell) {
      if (!solid_[cell]) continue;
      std::array<double, L::directions> f;
      for (int i = 0; i < L::directions; ++i) f[i] = f_[i][cell];
      const double ux = wall_ux_.empty() ? 0.0 : wall_ux_[cell];
      for (int i = 0; i < L::directions; ++i)
        f_[i][cell] = f[L::opposite[i]] + 6.0 * L::weight[i] * p_.density * L::cx[i] * ux;
    }
  }

  /// The sum of the cells' speeds, which are the same before and after a collision, because it conserves density and
  /// momentum.
  double collide(int row) {
    double speeds = 0.0;
    for (std::size_t first = first_of(row); first < first_of(row + 1); first += most) {
      const Cells m = macroscopic(first, std::min(most, first_of(row + 1) - first));
      std::array<double, most> omega, square, speed;
      for (std::size_t k = 0; k < m.number; ++k) {
        omega[k] = solid_[first + k] ? 0.0 : p_.omega;
        square[k] = m.ux[k] * m.ux[k] + m.uy[k] * m.uy[k] + m.uz[k] * m.uz[k];
        const double root = std::sqrt(square[k]);  // of any cell, so that compilers vectorise
        speed[k] = solid_[first + k] ? 0.0 : root;
      }
      for (std::size_t k = 0; k < m.number; ++k) speeds += speed[k];
      each_direction([&](auto i) {
        double* const f = f_[i].data() + first;
        for (std::size_t k = 0; k < m.number; ++k)
          f[k] += omega[k] * (equilibrium(i, m.density[k], m.ux[k], m.uy[k], m.uz[k], square[k]) - f[k]);
      });
    }
    return speeds;
  }

  const Parameters p_;
  const std::vector<std::uint8_t> solid_;
  std::vector<double> wall_ux_;  ///< of every cell; empty if no wall moves
  const double fluid_cells_;
  Populations f_, arrived_;
  std::vector<double> speeds_;  ///< sum of each row's
};

/// Each thread has separate rows. Sums are per row, so the result does not depend on the number of threads.
template <class L>
Answer solve(const Problem& problem, int steps, int threads) {
  Reference<L> reference(problem);
  Answer answer;
  answer.av_vels.reserve(static_cast<std::size_t>(steps) + 1);
  // When all rows are sent, those of the previous step have been received.
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
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back([&work, thread] {
        unbind_thread();
        work(thread);
      });
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
