// A case of the binary fluid: sizes, what it starts from, and the fluid's numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace boltzmark::binary_fluid {

/// What is done: collisions of made-up sites, which is the published benchmark; a whole simulation; or copies of all
/// sites and of some between host and target.
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

struct Case {
  int nx = 128, ny = 128, nz = 128;
  Scene scene = Scene::collision;
  int steps = 1;
  Parameters parameters;

  bool is_simulation() const { return scene != Scene::collision && scene != Scene::copies; }
  std::int64_t sites() const { return std::int64_t{nx} * ny * nz; }
  /// All with the halo of one site, which the collision benchmark visits too.
  std::int64_t sites_with_halo() const { return std::int64_t{nx + 2} * (ny + 2) * (nz + 2); }
  double drop_radius() const { return 0.25 * std::min(nx, ny); }
};

/// The usual numbers of a scene: Ludwig's public regression of spinodal decomposition; round drops and interfaces of
/// width 2.83, which the lattice resolves.
Parameters usual_parameters(Scene scene);

/// "N" of a cube or "NXxNYxNZ". Throws Error (bad_input).
void read_sizes(const std::string& text, Case& one);
std::string sizes_of(const Case& one);

}  // namespace boltzmark::binary_fluid
