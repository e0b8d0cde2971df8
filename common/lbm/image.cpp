#include "common/lbm/image.hpp"

#include <cmath>
#include <vector>

#include "common/picture/picture.hpp"

namespace boltzmark::lbm {
namespace {

constexpr Pixel obstacle_colour = {128, 128, 128};

}  // namespace

void write_speed_image(const std::filesystem::path& file, const Problem& problem, const State& state) {
  const int nx = problem.parameters.nx, ny = problem.parameters.ny, z = problem.parameters.nz / 2;
  const auto solid = problem.parameters.dimension == 2 ? problem.solid_mask() : problem.solid_mask(z, 1);
  const std::size_t first = solid.size() * static_cast<std::size_t>(z);
  double fastest = 0.0;
  for (std::size_t i = 0; i < solid.size(); ++i) fastest = std::fmax(fastest, state.speed(first + i));
  std::vector<Pixel> pixels;
  pixels.reserve(solid.size());
  for (int y = ny - 1; y >= 0; --y)  // a picture's first row is its top
    for (int x = 0; x < nx; ++x) {
      const auto cell = static_cast<std::size_t>(y) * nx + x;
      const double speed = state.speed(first + cell);
      pixels.push_back(solid[cell] ? obstacle_colour : colour_of(fastest > 0.0 ? speed / fastest : 0.0));
    }
  write_picture(file, nx, ny, pixels);
}

}  // namespace boltzmark::lbm
