#include "common/binary_fluid/parameters.hpp"

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark::binary_fluid {
namespace {
constexpr int longest_side = 4096;
/// Values of a field are numbered with 38 per site, and sites with an int.
constexpr std::int64_t most_sites = std::int64_t{1} << 30;
}  // namespace

Parameters usual_parameters(Scene scene) {
  if (scene != Scene::drop && scene != Scene::interface) return {};
  return {.a = -0.02,
          .b = 0.02,
          .kappa = 0.08,
          .shear_viscosity = 1.0 / 6.0,
          .bulk_viscosity = 1.0 / 6.0,
          .mobility = 0.15,
          .points = 27};
}

void read_sizes(const std::string& text, Case& one) {
  const auto sides = sides_in(text, longest_side);
  if (sides.size() != 1 && sides.size() != 3)
    throw bad_input("expected N or NXxNYxNZ with numbers from 1 to {}, found \"{}\"", longest_side, text);
  one.nx = static_cast<int>(sides.front());
  one.ny = static_cast<int>(sides[sides.size() / 2]);
  one.nz = static_cast<int>(sides.back());
  if (one.sites_with_halo() > most_sites) throw bad_input("expected at most {} sites, found \"{}\"", most_sites, text);
}

std::string sizes_of(const Case& one) { return fmt::format("{}x{}x{}", one.nx, one.ny, one.nz); }

}  // namespace boltzmark::binary_fluid
