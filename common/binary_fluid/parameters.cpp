#include "common/binary_fluid/parameters.hpp"

#include <fmt/core.h>

#include <charconv>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark::binary_fluid {
namespace {
constexpr int longest_side = 4096;
/// Values of a field are numbered with 38 per site, and sites with an int.
constexpr std::int64_t most_sites = std::int64_t{1} << 30;
}  // namespace

std::string to_string(Scene scene) {
  switch (scene) {
    case Scene::collision:
      return "collision";
    case Scene::spinodal:
      return "spinodal";
    case Scene::drop:
      return "drop";
    case Scene::interface:
      return "interface";
    default:
      return "copies";
  }
}

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
  std::vector<int> sides;
  const char *at = text.data(), *const end = at + text.size();
  for (bool more = true; more; ++at) {
    int side = 0;
    const auto [stop, error] = std::from_chars(at, end, side);
    if (error != std::errc() || side < 1 || side > longest_side) break;
    sides.push_back(side);
    at = stop;
    more = at != end && *at == 'x';
  }
  if (at != end + 1 || (sides.size() != 1 && sides.size() != 3))
    throw bad_input("expected N or NXxNYxNZ with numbers from 1 to {}, found \"{}\"", longest_side, text);
  one.nx = sides.front(), one.ny = sides[sides.size() / 2], one.nz = sides.back();
  if (one.sites_with_halo() > most_sites) throw bad_input("expected at most {} sites, found \"{}\"", most_sites, text);
}

std::string sizes_of(const Case& one) { return fmt::format("{}x{}x{}", one.nx, one.ny, one.nz); }

}  // namespace boltzmark::binary_fluid
