// phi as a picture.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "common/binary_fluid/parameters.hpp"
#include "common/picture/picture.hpp"

namespace boltzmark::binary_fluid {

/// The middle layer, y upwards; dark where phi is least and bright where it is greatest.
inline void write_phi_picture(const std::filesystem::path& file, const Case& one, const std::vector<double>& phi) {
  const auto [least, greatest] = std::minmax_element(phi.begin(), phi.end());
  const double range = *greatest > *least ? *greatest - *least : 1.0;
  std::vector<Pixel> pixels;
  for (int y = one.ny - 1; y >= 0; --y)
    for (int x = 0; x < one.nx; ++x)
      pixels.push_back(colour_of((phi[static_cast<std::size_t>(y) * one.nx + x] - *least) / range));
  write_picture(file, one.nx, one.ny, pixels);
}

}  // namespace boltzmark::binary_fluid
