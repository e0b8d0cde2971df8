// What is counted per site: numbers moved, and operations by running the kernels on numbers that count.
#pragma once

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

}  // namespace boltzmark::binary_fluid
