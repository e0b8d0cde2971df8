// A binary fluid: two liquids that do not mix, by a free energy on a lattice Boltzmann grid (D3Q19), as in Ludwig.
//
//     for each site                          phi: which liquid prevails, from -1 to 1
//       modes of the populations f: density, momentum, stress        m = T f
//       stress towards  rho u u + P(phi, grad phi, lap phi)          the chemical pressure makes interfaces
//       f = T^-1 m;  g = what carries phi: flux towards phi u, stress phi u u + mu
//
// The benchmark is that collision alone, of all sites with their halo (Gray and Stratford 2014, "targetDP"): 46 numbers
// read and 41 written per site. The simulation is the whole time step: phi = sum of g; gradients of phi; collision;
// propagation.
//
// The kernels are written once for all models, in common/target's words: collision.h, step.h. A model brings the
// target.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/binary_fluid/case.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::binary_fluid {

/// How the kernels are put together.
enum class Form {
  matrices,  ///< a kernel for each phase, the collision with matrices
  moments,   ///< the same, the collision without
  fused      ///< whole steps in two kernels
};

double flops_of_collision(Form form);
double flops_of_step(Form form, int gradient_points);

/// Numbers read and written per site and step; what neighbours have read before counts as in a cache.
double traffic_of_step(Form form);

/// What is seen of an interior site of a simulation; density shifted by 1.
struct Seen {
  double phi = 0.0, rho = 0.0, ux = 0.0, uy = 0.0, uz = 0.0;
};
inline constexpr int seen_values = 5;

/// Statistics over all sites of a simulation: means, the extremes of phi, and the largest component of a velocity.
struct Statistics {
  double phi = 0.0, phi_variance = 0.0, free_energy = 0.0, rho_variance = 0.0;
  double largest_velocity = 0.0, least_phi = 0.0, greatest_phi = 0.0;
  double density = 0.0;     ///< mean, shifted by 1
  double momentum[3] = {};  ///< mean
  bool operator==(const Statistics&) const = default;
};

/// Sites that a copy is for.
struct Wanted {
  const char* name;
  double share = 1.0;    ///< of all; 1: the whole field, without a mask
  bool is_halo = false;  ///< those of the halo
};

/// One model, variant and precision.
class Fluid : public Implementation {
 public:
  /// Bytes of fields per site.
  virtual double bytes_held_per_site() const = 0;
  /// Makes the fields and brings the start to the target. Collective.
  virtual void init(const Case& one) = 0;
  /// The timed part: the collision, or all steps. Collective.
  virtual void run() = 0;
  /// Of these sites, in rising order and one after another; on the root. Collective.
  /// A collision's sites are numbered with their halo (x fastest); each has what came out: populations (of f shifted,
  /// in the order of collision.h) and velocity. A simulation's are numbered without; each has what Seen has.
  virtual std::vector<double> results(const std::vector<std::int64_t>& sites) = 0;
  /// Launches that did not run, where the device counts them: results do not show a lost repeat of a collision, or a
  /// step of a long simulation.
  virtual std::uint32_t lost_launches() { return 0; }
  /// Of a simulation, now. Collective.
  virtual Statistics statistics() = 0;

  /// Of the case `copies`: which sites the next copies of all populations are for; to or from the target, timed; how
  /// far what came back is from what was sent, and other sites from what they had.
  virtual void want(const Wanted&) {}
  virtual void copy(bool /*to_target*/) {}
  virtual double copy_error() const { return 0.0; }
};

/// Numbers that come out of a site's collision.
inline constexpr int collision_values = populations + 3;
/// Its inputs other than the populations: phi, gradient and laplacian, force.
inline constexpr int surrounding_values = 8;
inline constexpr double collision_traffic = populations + surrounding_values + collision_values;

using Variant = VariantOf<Fluid>;
int run_workload(int argc, char** argv, const ProgramOf<Variant>& program, Team& team);

/// The variant that models have outside the layer, the published starting point.
Variant original_variant(std::function<Variant::Make> make, const std::vector<ModelOption>& options = {});

/// How a variant in the layer is put together, and its virtual vector length: none for what suits the target.
struct Rung {
  Form form;
  std::optional<int> vvl;
};

/// The variants that all models have in the layer, each made by `make`; with these options more.
std::vector<Variant> layer_variants(
    const std::function<std::unique_ptr<Fluid>(const Rung& rung, const Options& asked)>& make,
    const std::vector<ModelOption>& options = {});

/// `original` and those in the layer.
inline std::vector<Variant> variants_of(Variant original, std::vector<Variant> layer) {
  layer.insert(layer.begin(), std::move(original));
  return layer;
}

}  // namespace boltzmark::binary_fluid
