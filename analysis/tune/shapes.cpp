#include "analysis/tune/shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/run/options.hpp"

namespace boltzmark {
namespace {

std::string text_of(int x, int y, int z = 1) {
  return z == 1 ? fmt::format("{}x{}", x, y) : fmt::format("{}x{}x{}", x, y, z);
}

constexpr int published_spacing = 16, published_least = 32, published_most_z = 64;

/// 1, 16, 32, 48, ...
int published_size(int k) { return k == 0 ? 1 : k * published_spacing; }

std::vector<std::string> listed_shapes(const std::string& wanted, int dimension) {
  std::vector<std::string> shapes;
  for (const auto& word : split(wanted, ',')) {
    try {
      const WorkGroup group = parse_work_group("--shapes", word);
      if (dimension == 2 && group.z > 1) throw bad_input("planes");
      shapes.push_back(text_of(group.x, group.y, group.z));
    } catch (const Error&) {
      throw bad_input("--shapes: expected powers, published, tiles or shapes such as 32x4,64x2{}, found \"{}\"",
                      dimension == 2 ? "" : ",16x4x2", word);
    }
  }
  return shapes;
}

}  // namespace

std::vector<std::string> power_shapes(int items, int planes) {
  std::vector<std::string> shapes;
  for (int x = 1; x <= items; x *= 2)
    for (int y = 1; y <= items / x; y *= 2)
      for (int z = 1; z <= std::min(planes, items / x / y); z *= 2) shapes.push_back(text_of(x, y, z));
  return shapes;
}

std::vector<std::string> published_shapes(int items, int dimension) {
  std::set<std::array<int, 3>> shapes;
  const auto has_enough = [](int size) { return size >= published_least; };
  for (int i = 0; published_size(i) <= items; ++i)
    for (int j = 0; published_size(j) <= items / published_size(i); ++j) {
      const int x = published_size(i), y = published_size(j);
      for (int k = 0; published_size(k) <= std::min(dimension == 2 ? 1 : published_most_z, items / x / y); ++k)
        if (const int z = published_size(k); has_enough(x) || has_enough(y) || has_enough(z)) shapes.insert({x, y, z});
    }
  for (int x = 1; dimension == 2 && x <= items; ++x)
    if (items % x == 0) shapes.insert({x, items / x, 1});
  std::vector<std::string> texts;
  for (const auto& [x, y, z] : shapes) texts.push_back(text_of(x, y, z));
  return texts;
}

std::vector<std::string> tile_shapes(int items) {
  std::vector<std::string> shapes;
  for (const int x : {16, 32, 48, 64, 96, 128})
    for (int y = 2; y <= 16 && (x + 2) * (y + 2) <= items; ++y) shapes.push_back(text_of(x, y));
  return shapes;
}

std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits, int dimension) {
  if (wanted == "powers") return power_shapes(limits.items, dimension == 2 ? 1 : limits.z);
  if (wanted == "published") return published_shapes(limits.items, dimension);
  if (wanted == "tiles") return tile_shapes(limits.items);
  return listed_shapes(wanted, dimension);
}

std::string beyond_limits(const std::string& shape, const ShapeLimits& limits) {
  const WorkGroup group = parse_work_group("--work-group", shape);
  if (group.x > limits.items / group.y / group.z)
    return fmt::format("more than the device's {} work-items", limits.items);
  if (group.x > limits.x) return fmt::format("more than the device's {} work-items in x", limits.x);
  if (group.y > limits.y) return fmt::format("more than the device's {} work-items in y", limits.y);
  if (group.z > 1 && group.z > limits.z) return fmt::format("more than the device's {} work-items in z", limits.z);
  return "";
}

}  // namespace boltzmark
