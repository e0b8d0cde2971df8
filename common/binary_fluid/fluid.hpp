// A binary fluid: two liquids that do not mix, by a free energy on a lattice Boltzmann grid (D3Q19), as in Ludwig.
//
//     for each site                          phi: the dominant liquid, from -1 to 1
//       modes of the populations f: density, momentum, stress        m = T f
//       stress towards  rho u u + P(phi, grad phi, lap phi)          the chemical pressure makes interfaces
//       f = T^-1 m;  g carries phi: flux towards phi u, stress phi u u + mu
//
// The benchmark is only this collision, for all sites with their halo (Gray and Stratford 2014, "targetDP"): 46 numbers
// read and 41 written per site. The simulation is the whole time step: phi = sum of g; gradients of phi; collision;
// propagation.
//
// The kernels are written once for all models, in common/target's words: collision.h, binary_fluid.h. Each model
// supplies a target.
#pragma once

#include <functional>
#include <vector>

#include "common/binary_fluid/case.hpp"

namespace boltzmark::binary_fluid {

extern const target::LayerEntry workload;
extern const target::HostRuns on_host;

/// Combinations of the kernels.
struct Form {
  enum : int {
    matrices,  ///< a kernel for each phase, the collision with matrices
    moments,   ///< the same, the collision without matrices
    fused      ///< whole steps in two kernels
  };
};

double flops_of_collision(int form);
double flops_of_step(int form, int gradient_points);

/// Numbers read and written per site and step; values read by neighbours before count as cached.
double traffic_of_step(int form);
Passes passes_of_step(int form, double sites, int value_bytes);

/// Output of an interior site of a simulation; density shifted by 1.
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

/// Sites of a copy.
struct Wanted {
  const char* name;
  double share = 1.0;    ///< of all; 1: the whole field, without a mask
  bool is_halo = false;  ///< those of the halo
};

/// One model, variant and precision; its problem is a Case.
class Fluid : public target::Run {
 public:
  /// Bytes of fields per site.
  virtual double bytes_held_per_site() const = 0;
  /// Results of these sites, in rising order; on the root. Collective. A collision's sites are numbered with their halo
  /// (x fastest); each has its results: populations (of f shifted, in the order of collision.h) and velocity. A
  /// simulation's sites are numbered without halo; each has the values of Seen.
  virtual std::vector<double> results_of(const std::vector<std::int64_t>& sites) = 0;
  target::Arrays results() final { return {}; }  // too large as a whole
  /// Statistics of the current state of a simulation. Collective.
  virtual Statistics statistics() = 0;

  /// For the case `copies`: selects the sites of the next copies of all populations; copies to or from the target,
  /// timed; deviation of the values that came back from those sent, and of other sites from their old values.
  virtual void want(const Wanted&) {}
  virtual void copy(bool /*to_target*/) {}
  virtual double copy_error() const { return 0.0; }
};

/// Results of a site's collision.
inline constexpr int collision_values = populations + 3;
/// Its inputs other than the populations: phi, gradient and laplacian, force.
inline constexpr int surrounding_values = 8;
inline constexpr double collision_traffic = populations + surrounding_values + collision_values;
/// Bytes of all fields in the layer, per site; the largest holds the populations.
inline constexpr double field_values = 2.0 * populations + surrounding_values + 3.0;

/// The variant that models have outside the layer, the published starting point.
Variant original_variant(const OfCase<std::unique_ptr<Runnable>>& make, const std::vector<ModelOption>& options = {});

}  // namespace boltzmark::binary_fluid
