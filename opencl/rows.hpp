// Grids by rows on the device, see kernels/layout.h: their layout, their obstacles, and reading them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/model.hpp"
#include "opencl/api.hpp"
#include "opencl/kernels/layout.h"

namespace boltzmark {

/// Layout for work-items that update vectors of `lanes` cells and values of `value_bytes`. Throws Error
/// (unavailable) for rows beyond what the kernels can index.
Layout make_layout(const Parameters& parameters, int lanes, int value_bytes);

/// Values that a grid takes in memory.
std::size_t grid_values(const Layout& layout);

/// One bit a cell, see layout.h.
std::vector<cl_uint> obstacle_bits(const Problem& problem, const Layout& layout);

/// One bit a cell, for grids of kernels/plain.h.
std::vector<cl_uint> plain_obstacle_bits(const Problem& problem);

/// A value of half storage: 32768 times what it stands for, see kernels/pack.h.
struct StoredHalf {
  std::uint16_t bits = 0;
  explicit operator double() const;
};

/// Density and velocity of every cell, from a grid of T (float, double or StoredHalf) in the plain order.
template <class T>
void read_rows(cl::CommandQueue& queue, const cl::Buffer& grid, const Layout& layout, double density0,
               State& state);

}  // namespace boltzmark
