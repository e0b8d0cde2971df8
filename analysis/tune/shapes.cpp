#include "analysis/tune/shapes.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/run/options.hpp"

namespace boltzmark {
namespace {

std::string text_of(int x, int y) { return fmt::format("{}x{}", x, y); }

constexpr int published_spacing = 16, published_least = 32;

/// 1, 16, 32, 48, ...
int published_size(int k) { return k == 0 ? 1 : k * published_spacing; }

std::vector<std::string> listed_shapes(const std::string& wanted) {
  std::vector<std::string> shapes;
  for (const auto& word : split(wanted, ',')) {
    try {
      const WorkGroup group = parse_work_group("--shapes", word);
      shapes.push_back(text_of(group.x, group.y));
    } catch (const Error&) {
      throw bad_input("--shapes: expected powers, published or shapes such as 32x4,64x2, found \"{}\"", word);
    }
  }
  return shapes;
}

}  // namespace

std::vector<std::string> power_shapes(int items) {
  std::vector<std::string> shapes;
  for (int x = 1; x <= items; x *= 2)
    for (int y = 1; y <= items / x; y *= 2) shapes.push_back(text_of(x, y));
  return shapes;
}

std::vector<std::string> published_shapes(int items) {
  std::set<std::pair<int, int>> shapes;
  for (int i = 0; published_size(i) <= items; ++i)
    for (int j = 0; published_size(j) <= items / published_size(i); ++j)
      if (published_size(i) >= published_least || published_size(j) >= published_least)
        shapes.emplace(published_size(i), published_size(j));
  for (int x = 1; x <= items; ++x)
    if (items % x == 0) shapes.emplace(x, items / x);
  std::vector<std::string> texts;
  for (const auto& [x, y] : shapes) texts.push_back(text_of(x, y));
  return texts;
}

std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits) {
  if (wanted == "powers") return power_shapes(limits.items);
  if (wanted == "published") return published_shapes(limits.items);
  return listed_shapes(wanted);
}

std::string beyond_limits(const std::string& shape, const ShapeLimits& limits) {
  const WorkGroup group = parse_work_group("--work-group", shape);
  if (group.x > limits.items / group.y)
    return fmt::format("more than the device's {} work-items", limits.items);
  if (group.x > limits.x) return fmt::format("more than the device's {} work-items in x", limits.x);
  if (group.y > limits.y) return fmt::format("more than the device's {} work-items in y", limits.y);
  return "";
}

}  // namespace boltzmark
