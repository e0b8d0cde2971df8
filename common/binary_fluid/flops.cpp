
#include <vector>

#include "common/base/counted.hpp"
#include "common/binary_fluid/fluid.hpp"

// Must come after all others, because its words are macros.
#include "common/binary_fluid/binary_fluid.h"

namespace boltzmark::binary_fluid {
namespace {

/// The middle of 3 x 3 x 3 sites, and fields of this many values of them.
constexpr Sites middle = {13, 1, 1, 1, 3, 9, 27};
std::vector<Counted> field(int values) { return std::vector<Counted>(static_cast<std::size_t>(27 * values)); }

}  // namespace

double flops_of_collision(int form) {
  auto f = field(populations), out = field(populations), phi = field(1), gradient = field(4), force = field(3),
       u = field(3);
  const std::vector<Counted> matrices(matrix_values);
  const Physics<Counted> c = {};
  return count_flops([&] {
    if (form == Form::matrices)
      collide_matrices<Counted>(middle, f.data(), phi.data(), gradient.data(), force.data(), out.data(), u.data(),
                                matrices.data(), c);
    else
      collide_moments<Counted>(middle, f.data(), phi.data(), gradient.data(), force.data(), out.data(), u.data(), c);
  });
}

double flops_of_step(int form, int gradient_points) {
  auto f = field(populations), out = field(populations), phi = field(1), gradient = field(4);
  Physics<Counted> c = {};
  c.points = gradient_points;
  const double of_phi = count_flops([&] { order_parameter<Counted>(middle, f.data(), phi.data(), 1); });
  if (form == Form::fused)
    return of_phi + count_flops([&] { fused_step<Counted>(middle, f.data(), phi.data(), out.data(), c); });
  return of_phi + flops_of_collision(form) +
         count_flops([&] { gradients<Counted>(middle, phi.data(), gradient.data(), gradient_points); });
}

double traffic_of_step(int form) {
  const double of_phi = directions + 1.0;
  if (form == Form::fused) return of_phi + 2.0 * populations + 1.0;
  return of_phi + (1.0 + 4.0) + collision_traffic + 2.0 * populations;
}

/// Values that kernels read and write; those of g are also read separately, for phi.
Passes passes_of_step(int form, double sites, int value_bytes) {
  constexpr int f = 0, g = 1, next_f = 2, next_g = 3, phi = 4, gradient = 5, force = 6, velocity = 7;
  Passes step = {.cells = sites, .fields = {directions, directions, directions, directions, 1, 4, 3, 3}};
  for (double& of_field : step.fields) of_field *= value_bytes;
  if (form == Form::fused) {
    step.loops = {{{g}, {phi}}, {{f, g, phi}, {next_f, next_g}}, {{next_g}, {phi}}, {{next_f, next_g, phi}, {f, g}}};
    step.steps = 2;
  } else {
    step.loops = {{{g}, {phi}},
                  {{phi}, {gradient}},
                  {{f, g, phi, gradient, force}, {next_f, next_g, velocity}},
                  {{next_f, next_g}, {f, g}}};
  }
  return step;
}

}  // namespace boltzmark::binary_fluid
