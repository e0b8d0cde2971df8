// The reference: the textbook in double precision, slow and never optimised; deviations from it, conserved quantities,
// and theory for a scene.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/difference.hpp"
#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/textbook.hpp"
#include "common/cpu/memory.hpp"
#include "common/run/record.hpp"

namespace boltzmark::binary_fluid {

/// A periodic lattice of sites without halos.
struct Periodic {
  int nx, ny, nz;
  std::size_t at(int x, int y, int z) const {
    return (static_cast<std::size_t>((z + nz) % nz) * ny + (y + ny) % ny) * nx + (x + nx) % nx;
  }
  template <class Work>
  void each_site(Work&& work) const {
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) work(x, y, z);
  }
};

struct Site {
  double f[directions], g[directions];
};

inline double sum_of(const double* populations_of_site) {
  double sum = 0.0;
  for (int p = 0; p < directions; ++p) sum += populations_of_site[p];
  return sum;
}

class Oracle {
 public:
  explicit Oracle(const Case& one) : case_(one), constants_(textbook::constants_of<double>(one.parameters)) {}

  /// Results of a site's collision, in the order of Fluid::results, from inputs rounded to values of this many bytes.
  std::array<double, collision_values> collided(std::int64_t site, int value_bytes) const {
    return value_bytes == 8 ? collided_from<double>(site) : collided_from<float>(site);
  }

  /// All interior sites after the steps of a simulation.
  std::vector<Seen> simulated() const {
    const Periodic grid = {case_.nx, case_.ny, case_.nz};
    const auto sites = static_cast<std::size_t>(case_.sites());
    require_memory("the reference", static_cast<double>(sites * (2 * sizeof(Site) + sizeof(double) + sizeof(Seen))));
    std::vector<Site> lattice(sites, Site{}), moved(sites);
    std::vector<double> phi(sites);
    grid.each_site([&](int x, int y, int z) { lattice[grid.at(x, y, z)].g[0] = start_phi(case_, x, y, z); });
    for (int step = 0; step < case_.steps; ++step) {
      for (std::size_t i = 0; i < sites; ++i) phi[i] = sum_of(lattice[i].g);
      grid.each_site([&](int x, int y, int z) {
        Site& site = lattice[grid.at(x, y, z)];
        textbook::Surroundings<double> s = {};
        s.phi = phi[grid.at(x, y, z)];
        take_gradients(grid, phi, case_.parameters.points, x, y, z, s);
        double u[3];
        textbook::collide(site.f, site.g, s, constants_, u);
      });
      grid.each_site([&](int x, int y, int z) {
        for (int p = 0; p < directions; ++p) {
          Site& to = moved[grid.at(x + direction[p][0], y + direction[p][1], z + direction[p][2])];
          to.f[p] = lattice[grid.at(x, y, z)].f[p];
          to.g[p] = lattice[grid.at(x, y, z)].g[p];
        }
      });
      lattice.swap(moved);
    }
    std::vector<Seen> seen(sites);
    for (std::size_t i = 0; i < sites; ++i) {
      double j[3] = {};
      for (int p = 0; p < directions; ++p)
        for (int axis = 0; axis < 3; ++axis) j[axis] += direction[p][axis] * lattice[i].f[p];
      const double rho = sum_of(lattice[i].f);
      seen[i] = {sum_of(lattice[i].g), rho, j[0] / (1.0 + rho), j[1] / (1.0 + rho), j[2] / (1.0 + rho)};
    }
    return seen;
  }

 private:
  template <class T>
  std::array<double, collision_values> collided_from(std::int64_t site) const {
    const auto in = [&](int v) { return static_cast<double>(collision_input<T>(site, v)); };
    const auto around = [&](int v) { return in(populations + v); };
    double f[directions], g[directions], u[3];
    for (int p = 0; p < directions; ++p) f[p] = in(2 * p), g[p] = in(2 * p + 1);
    const textbook::Surroundings<double> s = {
        around(0), {around(1), around(2), around(3)}, around(4), {around(5), around(6), around(7)}};
    textbook::collide(f, g, s, constants_, u);
    std::array<double, collision_values> out{};
    for (int p = 0; p < directions; ++p) out[2 * p] = f[p], out[2 * p + 1] = g[p];
    for (int i = 0; i < 3; ++i) out[populations + i] = u[i];
    return out;
  }

  /// Gradient and laplacian: from the nearest neighbours, or from all 26.
  static void take_gradients(const Periodic& grid, const std::vector<double>& phi, int points, int x, int y, int z,
                             textbook::Surroundings<double>& s) {
    const double centre = phi[grid.at(x, y, z)];
    s.laplacian = 0.0;
    for (double& component : s.gradient) component = 0.0;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int distance = dx * dx + dy * dy + dz * dz;
          if (distance == 0 || (points == 7 && distance > 1)) continue;
          const double there = phi[grid.at(x + dx, y + dy, z + dz)], of_gradient = points == 7 ? 2.0 : 18.0;
          s.gradient[0] += dx * there / of_gradient;
          s.gradient[1] += dy * there / of_gradient;
          s.gradient[2] += dz * there / of_gradient;
          s.laplacian += (there - centre) / (points == 7 ? 1.0 : 9.0);
        }
  }

  Case case_;
  textbook::Constants<double> constants_;
};

/// The quantity compared and its deviation from the reference.
using Errors = std::vector<std::pair<std::string, double>>;

/// Deviation of a collision from the reference, by parts of its sites; relative to the largest right value of each
/// kind.
class CollisionCheck {
 public:
  CollisionCheck(const Case& one, int value_bytes) : oracle_(one), value_bytes_(value_bytes) {}
  /// Fluid::results of these sites.
  void add(const std::vector<std::int64_t>& sites, std::span<const double> found) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const auto right = oracle_.collided(sites[i], value_bytes_);
      for (int v = 0; v < collision_values; ++v)
        (v >= populations ? u_ : v % 2 == 0 ? f_ : g_).add(found[i * collision_values + v], right[v]);
    }
  }
  Errors errors() const { return {{"f", f_.relative()}, {"g", g_.relative()}, {"velocity", u_.relative()}}; }

 private:
  Oracle oracle_;
  int value_bytes_;
  Difference f_, g_, u_;
};

/// Deviations of the sites of a simulation: each relative to its largest right value; density and velocity relative at
/// least to the chemical pressure, whose rounding they inherit where its differences cancel.
inline Errors simulation_errors(const Case& one, const std::vector<Seen>& right, const std::vector<Seen>& found) {
  Difference phi, rho, u;
  for (std::size_t i = 0; i < right.size(); ++i) {
    phi.add(found[i].phi, right[i].phi);
    rho.add(found[i].rho, right[i].rho);
    u.add(found[i].ux, right[i].ux);
    u.add(found[i].uy, right[i].uy);
    u.add(found[i].uz, right[i].uz);
  }
  const double pressure = std::abs(one.parameters.a) * phi.scale() * phi.scale();
  return {{"phi", phi.relative()}, {"density", rho.relative(pressure)}, {"velocity", u.relative(pressure)}};
}

/// Means of density, order parameter and momentum must not change.
inline Errors conservation_errors(const Statistics& start, const Statistics& now) {
  const auto change = [](double one, double other) { return std::abs(other - one); };
  Errors errors = {{"mean_density", change(start.density, now.density)}, {"mean_phi", change(start.phi, now.phi)}};
  constexpr std::array axes = {"momentum_x", "momentum_y", "momentum_z"};
  for (int i = 0; i < 3; ++i) errors.emplace_back(axes[i], change(start.momentum[i], now.momentum[i]));
  return errors;
}

/// Largest distance of phi from the profile of theory.
inline double distance_from_profile(const Case& one, const std::vector<Seen>& sites) {
  double largest = 0.0;
  for (int x = 0; x < one.nx; ++x)
    largest = std::fmax(largest, std::abs(sites[static_cast<std::size_t>(x)].phi - start_phi(one, x, 0, 0)));
  return largest;
}

/// Pressure in the middle of the drop less that far from it, over the value of Laplace's law.
inline double pressure_over_laplace(const Case& one, const std::vector<Seen>& sites) {
  const Parameters& p = one.parameters;
  const auto pressure = [&](const Seen& at) {
    const double phi2 = at.phi * at.phi;
    return at.rho / 3.0 + 0.5 * p.a * phi2 + 0.75 * p.b * phi2 * phi2;
  };
  const std::size_t centre = (static_cast<std::size_t>(one.ny) / 2) * one.nx + static_cast<std::size_t>(one.nx) / 2;
  return (pressure(sites[centre]) - pressure(sites[0])) * one.drop_radius() / p.tension();
}

/// Known results for a scene: Ludwig's statistics of spinodal decomposition; the profile of interfaces; Laplace's law.
inline std::vector<Metric> scene_metrics(const Case& one, const Statistics& start, const Statistics& now,
                                         const std::vector<Seen>& sites) {
  std::vector<Metric> metrics = {{"largest_velocity", "lattice units", now.largest_velocity},
                                 {"least_phi", "", now.least_phi},
                                 {"greatest_phi", "", now.greatest_phi},
                                 {"free_energy", "lattice units", now.free_energy}};
  if (one.scene == Scene::spinodal) {
    metrics.push_back({"phi_variance", "", now.phi_variance});
    metrics.push_back({"phi_variance_ratio", "", now.phi_variance / start.phi_variance});
    metrics.push_back({"free_energy_ratio", "", now.free_energy / start.free_energy});
    metrics.push_back({"rho_variance", "", now.rho_variance});
  } else if (one.scene == Scene::interface) {
    metrics.push_back({"distance_from_tanh", "", distance_from_profile(one, sites)});
  } else {
    metrics.push_back({"pressure_over_laplace", "of Laplace's law", pressure_over_laplace(one, sites)});
  }
  return metrics;
}

}  // namespace boltzmark::binary_fluid
