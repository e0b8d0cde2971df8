// Requirements for every target of common/target's layer: kernels, copies, masks, reductions.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/target/kernel.hpp"

// After all others: its words are macros.
#include "common/target/scale.h"

namespace boltzmark::testing {
using target::scale;  // a kernel's name is that in OpenCL C too

/// A number for value v of site s that differs from all near it, exact in single precision.
inline double number_at(std::int64_t stride, int v, std::int64_t site) {
  return static_cast<double>((v * stride + site) % 4093) - 2000.0;
}

template <class Target>
std::vector<typename Target::Scalar> numbers_of(const Target& target, int values) {
  const std::int64_t stride = target.lattice().stride();
  std::vector<typename Target::Scalar> numbers;
  for (int v = 0; v < values; ++v)
    for (std::int64_t site = 0; site < stride; ++site)
      numbers.push_back(static_cast<typename Target::Scalar>(number_at(stride, v, site)));
  return numbers;
}

/// Which sites are of a box, a byte for each site of a field.
inline target::Mask mask_of(const target::Lattice& lattice, const target::Sites& box) {
  target::Mask mask(static_cast<std::size_t>(lattice.stride()));
  for (int layer = 0; layer < box.layers; ++layer)
    for (int row = 0; row < box.rows; ++row)
      for (int x = 0; x < box.length; ++x)
        mask[static_cast<std::size_t>(box.first + x + row * box.row_pitch + layer * box.layer_pitch)] = 1;
  return mask;
}

/// The example: three values of every site of the box times a factor, nothing else.
template <class Target>
void expect_scaled_box_alone(Target& target, const target::Sites& box) {
  using T = typename Target::Scalar;
  const std::int64_t stride = target.lattice().stride();
  auto field = target.make(3);
  const std::vector<T> start = numbers_of(target, 3);
  target.copy_to(field, start.data(), 0, 3);
  target.launch(TARGET_KERNEL(scale), box, field, T(2));
  target.wait();
  std::vector<T> found(start.size());
  target.copy_from(field, found.data(), 0, 3);
  const target::Mask inside = mask_of(target.lattice(), box);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], start[i] * T(inside[i % static_cast<std::size_t>(stride)] ? 2 : 1)) << i;
}

/// Only wanted sites, with every value, both ways.
template <class Target>
void expect_masked_copies(Target& target, const target::Sites& box) {
  using T = typename Target::Scalar;
  auto field = target.make(2);
  const std::vector<T> ones(static_cast<std::size_t>(2 * target.lattice().stride()), T(1));
  const std::vector<T> numbers = numbers_of(target, 2);
  target.copy_to(field, ones.data(), 0, 2);
  const target::Mask mask = mask_of(target.lattice(), box);
  target::copy_to_masked(target, field, numbers.data(), mask);
  std::vector<T> found(ones.size());
  target.copy_from(field, found.data(), 0, 2);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], mask[i % mask.size()] ? numbers[i] : T(1)) << "to the target " << i;
  target.copy_to(field, numbers.data(), 0, 2);
  found = ones;
  target::copy_from_masked(target, field, found.data(), mask);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], mask[i % mask.size()] ? numbers[i] : T(1)) << "from the target " << i;
}

/// Over a box, of all its sites and of some.
template <class Target>
void expect_reductions(Target& target, const target::Sites& box) {
  auto field = target.make(2);
  const auto numbers = numbers_of(target, 2);
  target.copy_to(field, numbers.data(), 0, 2);
  const target::Mask inside = mask_of(target.lattice(), box);
  target::Mask some(inside.size());
  for (std::size_t site = 0; site < some.size(); ++site) some[site] = site % 3 == 0;
  for (const target::Mask* mask : {static_cast<const target::Mask*>(nullptr), static_cast<const target::Mask*>(&some)})
    for (const auto reduce : {target::Reduce::sum, target::Reduce::least, target::Reduce::greatest}) {
      double right = target::start_of(reduce);
      for (std::size_t site = 0; site < inside.size(); ++site)
        if (inside[site] && (!mask || (*mask)[site]))
          right = target::joined(reduce, right, static_cast<double>(numbers[inside.size() + site]));
      EXPECT_EQ(target.reduce(reduce, field, 1, box, mask), right) << static_cast<int>(reduce) << !mask;
    }
}

/// For any number of sites, with rows that are not whole chunks.
template <class Target, class Make>
void check_layer(Make make) {
  for (const auto& [nx, ny, nz] :
       {std::array{1, 1, 1}, std::array{5, 3, 2}, std::array{37, 2, 3}, std::array{64, 1, 1}}) {
    SCOPED_TRACE(fmt::format("{}x{}x{}", nx, ny, nz));
    const target::Lattice lattice(nx, ny, nz);
    const std::unique_ptr<Target> target = make(lattice);
    expect_scaled_box_alone(*target, lattice.interior());
    expect_scaled_box_alone(*target, lattice.box(-1, -1, -1, nx + 2, 1, nz + 2));
    expect_masked_copies(*target, lattice.box(-1, 0, 0, 1, ny, nz));
    expect_reductions(*target, lattice.interior());
  }
  for (const int sites : {1, 31, 257}) {
    SCOPED_TRACE(sites);
    const std::unique_ptr<Target> target = make(target::Lattice::line(sites));
    expect_scaled_box_alone(*target, target->lattice().box(0, 0, 0, sites, 1, 1));
    expect_reductions(*target, target->lattice().box(0, 0, 0, sites, 1, 1));
  }
}

}  // namespace boltzmark::testing
