#include "common/binary_fluid/physics.hpp"

#include <algorithm>
#include <array>

#include "common/binary_fluid/start.hpp"

namespace boltzmark::binary_fluid {
namespace {

/// Largest difference and largest right value of a quantity.
struct Difference {
  const char* of;
  double largest = 0.0, scale = 0.0;
  bool is_number = true;

  void add(double found, double right) {
    is_number = is_number && std::isfinite(found);
    largest = std::fmax(largest, std::abs(found - right));
    scale = std::fmax(scale, std::abs(right));
  }
  Deviation deviation(double least_scale) const {
    return {of, is_number ? std::optional(largest / std::fmax(scale, least_scale)) : std::nullopt};
  }
};

Deviation change(const char* of, double start, double now) {
  const double by = std::abs(now - start);
  return {of, std::isfinite(by) ? std::optional(by) : std::nullopt};
}

/// Largest distance of phi from the profile of theory.
double distance_from_profile(const Case& one, const std::vector<Seen>& sites) {
  double largest = 0.0;
  for (int x = 0; x < one.nx; ++x)
    largest = std::fmax(largest, std::abs(sites[static_cast<std::size_t>(x)].phi - start_phi(one, x, 0, 0)));
  return largest;
}

/// Pressure in the middle of the drop less that far from it, over what Laplace's law says.
double pressure_over_laplace(const Case& one, const std::vector<Seen>& sites) {
  const Parameters& p = one.parameters;
  const auto pressure = [&](const Seen& at) {
    const double phi2 = at.phi * at.phi;
    return at.rho / 3.0 + 0.5 * p.a * phi2 + 0.75 * p.b * phi2 * phi2;
  };
  const std::size_t centre = (static_cast<std::size_t>(one.ny) / 2) * one.nx + static_cast<std::size_t>(one.nx) / 2;
  return (pressure(sites[centre]) - pressure(sites[0])) * one.drop_radius() / p.tension();
}

}  // namespace

std::vector<Deviation> collision_deviations(const Case& one, Precision precision,
                                            const std::vector<std::int64_t>& sites, std::span<const double> found) {
  const Oracle oracle(one);
  Difference f{"f"}, g{"g"}, u{"velocity"};
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const auto right = oracle.collided(sites[i], precision);
    for (int v = 0; v < collision_values; ++v)
      (v >= populations ? u : v % 2 == 0 ? f : g).add(found[i * collision_values + v], right[v]);
  }
  return {f.deviation(0.0), g.deviation(0.0), u.deviation(0.0)};
}

std::vector<Deviation> simulation_deviations(const Case& one, const std::vector<Seen>& right,
                                             std::span<const double> found) {
  Difference phi{"phi"}, rho{"density"}, u{"velocity"};
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double* const at = &found[i * seen_values];
    phi.add(at[0], right[i].phi);
    rho.add(at[1], right[i].rho);
    u.add(at[2], right[i].ux);
    u.add(at[3], right[i].uy);
    u.add(at[4], right[i].uz);
  }
  const double pressure = std::abs(one.parameters.a) * phi.scale * phi.scale;
  return {phi.deviation(0.0), rho.deviation(pressure), u.deviation(pressure)};
}

std::vector<Deviation> conservation_deviations(const Statistics& start, const Statistics& now) {
  std::vector<Deviation> found = {change("mean_density", start.density, now.density),
                                  change("mean_phi", start.phi, now.phi)};
  constexpr std::array axes = {"momentum_x", "momentum_y", "momentum_z"};
  for (int i = 0; i < 3; ++i) found.push_back(change(axes[i], start.momentum[i], now.momentum[i]));
  return found;
}

std::vector<Metric> scene_metrics(const Case& one, const Statistics& start, const Statistics& now,
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
    metrics.push_back({"pressure_over_laplace", "", pressure_over_laplace(one, sites)});
  }
  return metrics;
}

}  // namespace boltzmark::binary_fluid
