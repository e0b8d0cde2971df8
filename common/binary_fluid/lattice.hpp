// D3Q19 as tables, and the matrices of the collision, for host code.
#pragma once

#include <array>
#include <vector>

namespace boltzmark::binary_fluid {

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

}  // namespace boltzmark::binary_fluid
