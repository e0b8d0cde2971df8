// A binary fluid: two liquids that do not mix, by a free energy on a lattice Boltzmann grid (D3Q19), as in Ludwig.
//
//     for each site                          phi: what there is more of, from -1 to 1
//       modes of the populations f: density, momentum, stress        m = T f
//       stress towards  rho u u + P(phi, grad phi, lap phi)          the chemical pressure makes interfaces
//       f = T^-1 m;  g = what carries phi: flux towards phi u, stress phi u u + mu
//
// The benchmark is that collision alone, of all sites with their halo (Gray and Stratford 2014, "targetDP"): 46 numbers read
// and 41 written per site. The simulation is the whole time step: phi = sum of g; gradients of phi; collision; propagation.
//
// The kernels are written once for all models, in common/target's words: collision.h, step.h. A model brings the target.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/binary_fluid/lattice.hpp"
#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::binary_fluid {

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
};

/// Sites that a copy is for.
struct Wanted {
  const char* name;
  double share = 1.0;    ///< of all; 1: the whole field, without a mask
  bool is_halo = false;  ///< those of the halo
};

/// One model, variant and precision.
class Fluid {
 public:
  virtual ~Fluid() = default;
  /// Before init: what there is where so many bytes of fields do not fit; "" when they fit. Collective.
  virtual std::string shortage(double bytes) = 0;
  /// Bytes of fields per site.
  virtual double bytes_held_per_site() const = 0;
  /// Makes the fields and brings the start to the target. Collective.
  virtual void init(const Case& one) = 0;
  /// The timed part: the collision, or all steps. Collective.
  virtual void run() = 0;
  /// Not timed: throws Error (unavailable) where the device did not do it.
  virtual void confirm() {}
  /// Of these sites, in rising order and one after another; on the root. Collective.
  /// A collision's sites are numbered with their halo (x fastest); each has what came out: populations (of f shifted, in the
  /// order of collision.h) and velocity. A simulation's are numbered without; each has what Seen has.
  virtual std::vector<double> results(const std::vector<std::int64_t>& sites) = 0;
  /// Of a simulation, now. Collective.
  virtual Statistics statistics() = 0;

  /// Of the case `copies`: which sites the next copies of all populations are for; to or from the target, timed; how far what
  /// came back is from what was sent, and other sites from what they had.
  virtual void want(const Wanted&) {}
  virtual void copy(bool /*to_target*/) {}
  virtual double copy_error() const { return 0.0; }

  virtual RunFacts facts() const = 0;
};

/// Numbers that come out of a site's collision.
inline constexpr int collision_values = populations + 3;
/// Numbers that go into it beside the populations: phi, gradient and laplacian, force.
inline constexpr int surrounding_values = 8;
inline constexpr double collision_traffic = populations + surrounding_values + collision_values;

/// A model's program for this workload.
struct Program : boltzmark::Program {
  /// Makes the fluid for checked options. Throws Error (unavailable) where this machine cannot run it, Error
  /// (bad_input) for an option value that makes no sense.
  std::function<std::unique_ptr<Fluid>(const Options&)> make;
};

/// The rungs that models written in the layer have in common.
std::vector<Variant> layer_variants(const std::vector<std::string>& options);

/// The main of a model's program. Returns its exit status.
int run_program(int argc, char** argv, const Program& program);
/// The same for the ranks of a team.
int run_program(int argc, char** argv, const Program& program, Team& team);

}  // namespace boltzmark::binary_fluid
