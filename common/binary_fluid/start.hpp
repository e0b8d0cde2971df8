// What runs start from, as functions of a site: the same in every model, whatever order sites are visited in.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/binary_fluid/fluid.hpp"

namespace boltzmark::binary_fluid {

/// Number `which` of a site's that look random, from -1 to 1.
inline double random_at(std::int64_t site, int which) {
  auto bits = static_cast<std::uint64_t>(site) * 64 + static_cast<std::uint64_t>(which) + 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}

/// Value `v` of what goes into a site's collision, rounded to T: populations 2 p + d, then phi, its gradient and
/// laplacian, the force. f = w (1 + 0.1 r), shifted; g adds up to phi but for rounding.
template <class T>
T collision_input(std::int64_t site, int v) {
  if (v >= populations) return static_cast<T>((v < populations + 5 ? 0.5 : 0.01) * random_at(site, v));
  const int p = v / 2;
  if (v % 2 == 0) return static_cast<T>(0.1 * weight(p) * random_at(site, v));
  const auto phi = static_cast<double>(collision_input<T>(site, populations));
  if (p > 0) return static_cast<T>(weight(p) * (phi + 0.1 * random_at(site, v)));
  double rest = phi;
  for (int other = 1; other < directions; ++other)
    rest -= static_cast<double>(static_cast<T>(weight(other) * (phi + 0.1 * random_at(site, 2 * other + 1))));
  return static_cast<T>(rest);
}

/// phi of an interior site at the start of a simulation.
inline double start_phi(const Case& one, int x, int y, int z) {
  const Parameters& p = one.parameters;
  const double xi = p.interface_width();
  switch (one.scene) {
    case Scene::drop: {
      const double dx = x + 0.5 - 0.5 * one.nx, dy = y + 0.5 - 0.5 * one.ny;
      return p.bulk_phi() * std::tanh((one.drop_radius() - std::sqrt(dx * dx + dy * dy)) / xi);
    }
    case Scene::interface: {  // a slab in the middle half
      const double at = std::abs(x + 0.5 - 0.5 * one.nx);
      return p.bulk_phi() * std::tanh((0.25 * one.nx - at) / xi);
    }
    default:
      return 0.05 * random_at((std::int64_t{z} * one.ny + y) * one.nx + x, 0);
  }
}

}  // namespace boltzmark::binary_fluid
