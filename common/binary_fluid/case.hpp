// A case of the binary fluid: sizes, the fluid's parameters, and the start as functions of a site, the same in every
// model and any order of sites.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/target/layer.hpp"

namespace boltzmark::binary_fluid {

// D3Q19 as tables, and the matrices of the collision, for host code.

inline constexpr int directions = 19;
/// Values of a site's populations: of both distributions.
inline constexpr int populations = 2 * directions;

/// In the order of collision.h: rest, then pairs of opposite ones.
inline constexpr auto direction = [] {
  constexpr int x[] = {1, 0, 0, 1, 1, 1, 1, 0, 0}, y[] = {0, 1, 0, 1, -1, 0, 0, 1, 1},
                z[] = {0, 0, 1, 0, 0, 1, -1, 1, -1};
  std::array<std::array<int, 3>, directions> all = {};
  for (int pair = 0; pair < directions / 2; ++pair) {
    all[2 * pair + 1] = {x[pair], y[pair], z[pair]};
    all[2 * pair + 2] = {-x[pair], -y[pair], -z[pair]};
  }
  return all;
}();

inline double weight(int p) { return p == 0 ? 1.0 / 3.0 : p <= 6 ? 1.0 / 18.0 : 1.0 / 36.0; }
inline double delta(int a, int b) { return a == b ? 1.0 : 0.0; }
/// Q_p,ab.
inline double q(int p, int a, int b) { return direction[p][a] * direction[p][b] - delta(a, b) / 3.0; }

/// Components of a symmetric tensor in the order of the modes: xx, yy, zz, xy, xz, yz.
inline constexpr std::array<std::array<int, 2>, 6> tensor = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// Contribution of population p to mode m: density, momentum (3), stress (6), ghosts (9).
inline double mode_of(int m, int p) {
  if (m == 0) return 1.0;
  if (m < 4) return direction[p][m - 1];
  if (m < 10) return q(p, tensor[m - 4][0], tensor[m - 4][1]);
  const double x2 = direction[p][0] * direction[p][0], y2 = direction[p][1] * direction[p][1],
               z2 = direction[p][2] * direction[p][2], c2 = x2 + y2 + z2;
  const std::array<double, 3> chi = {(2.0 * c2 - 3.0) * (3.0 * z2 - c2), (2.0 * c2 - 3.0) * (y2 - x2),
                                     3.0 * c2 * c2 - 6.0 * c2 + 1.0};
  const int ghost = m - 10;  // chi1, chi2, chi3, chi1 c, chi2 c
  return ghost < 3 ? chi[ghost] : ghost < 6 ? chi[0] * direction[p][ghost - 3] : chi[1] * direction[p][ghost - 6];
}

/// The inverse, the contribution of mode m to population p: the modes are orthogonal under the weights.
inline double population_of(int p, int m) {
  double square = 0.0;
  for (int k = 0; k < directions; ++k) square += weight(k) * mode_of(m, k) * mode_of(m, k);
  return weight(p) * mode_of(m, p) / square;
}

/// The matrices in the order of collide_matrices.
template <class T>
std::vector<T> matrices() {
  std::vector<T> numbers;
  for (int m = 0; m < directions; ++m)
    for (int p = 0; p < directions; ++p) numbers.push_back(static_cast<T>(mode_of(m, p)));
  for (int p = 0; p < directions; ++p)
    for (int m = 0; m < directions; ++m) numbers.push_back(static_cast<T>(population_of(p, m)));
  for (int p = 0; p < directions; ++p)
    for (int m = 1; m < 10; ++m)
      numbers.push_back(static_cast<T>(m < 4 ? 3.0 * weight(p) * direction[p][m - 1] : population_of(p, m)));
  return numbers;
}

/// The task: collisions of generated sites (the published benchmark), a whole simulation, or copies of all or some
/// sites between host and target.
enum class Scene { collision, spinodal, drop, interface, copies };
inline const std::vector<std::string> scene_names = {"collision", "spinodal", "drop", "interface", "copies"};

/// Free energy a phi^2/2 + b phi^4/4 + kappa |grad phi|^2/2 with a < 0; viscosities; mobility of phi.
struct Parameters {
  double a = -0.00625, b = 0.00625, kappa = 0.004;
  double shear_viscosity = 0.00625, bulk_viscosity = 0.00625, mobility = 3.75;
  int points = 27;  ///< of the gradients: 7 or 27

  double bulk_phi() const { return std::sqrt(-a / b); }
  double interface_width() const { return std::sqrt(-2.0 * kappa / a); }
  double tension() const { return std::sqrt(-8.0 * kappa * a * a * a / (9.0 * b * b)); }
};

/// Rates of relaxation.
struct Rates {
  double shear, bulk, order, ghost = 1.0;
  explicit Rates(const Parameters& p)
      : shear(2.0 / (1.0 + 6.0 * p.shear_viscosity)),
        bulk(2.0 / (1.0 + 6.0 * p.bulk_viscosity)),
        order(2.0 / (1.0 + 2.0 * p.mobility)) {}
};

/// The constants of collision.h, as the Physics of its includer.
template <class Physics>
Physics make_physics(const Parameters& p) {
  using T = decltype(Physics::a);
  const Rates omega(p);
  Physics c = {};
  c.a = T(p.a), c.b = T(p.b), c.kappa = T(p.kappa);
  c.keep_shear = T(1.0 - omega.shear), c.shear = T(omega.shear);
  c.bulk = T((omega.shear - omega.bulk) / 3.0), c.push = T(2.0 - omega.shear);
  c.keep_flux = T(1.0 - omega.order), c.flux = T(omega.order);
  c.keep_ghost = T(1.0 - omega.ghost);
  c.w_rest = T(weight(0)), c.w_axis = T(weight(1)), c.w_diagonal = T(weight(7));
  c.points = p.points;
  return c;
}

struct Case : target::Problem {
  int nx = 128, ny = 128, nz = 128;
  Scene scene = Scene::collision;
  Parameters parameters;

  bool is_simulation() const { return scene != Scene::collision && scene != Scene::copies; }
  std::int64_t sites() const { return std::int64_t{nx} * ny * nz; }
  /// All sites with the halo of one site, which the collision benchmark also visits.
  std::int64_t sites_with_halo() const { return std::int64_t{nx + 2} * (ny + 2) * (nz + 2); }
  double drop_radius() const { return 0.25 * std::min(nx, ny); }
};

/// Pseudo-random number `which` of a site, from -1 to 1.
inline double random_at(std::int64_t site, int which) {
  auto bits = static_cast<std::uint64_t>(site) * 64 + static_cast<std::uint64_t>(which) + 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
}

/// Input value `v` of a site's collision, rounded to T: populations 2 p + d, then phi, its gradient and laplacian, the
/// force. f = w (1 + 0.1 r), shifted; g adds up to phi except for rounding.
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
