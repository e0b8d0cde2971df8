// Work-group shapes that are worth trying.
#pragma once

#include <string>
#include <vector>

namespace boltzmark {

/// What a device allows: work-items in a group, and along x and y.
struct ShapeLimits {
  int items = 0, x = 0, y = 0;
};

/// Every X x Y of powers of two with at most `items` work-items, as "XxY": 66 for 1024.
std::vector<std::string> power_shapes(int items);

/// The published set: x and y of 1, 16, 32, 48, ... with x or y at least 32 and x*y at most `items`, and the
/// divisor pairs of `items`: 139 for 1024. Source: the auto-tuning of work-group sizes in source E of
/// published.json.
std::vector<std::string> published_shapes(int items);

/// "powers", "published", or shapes themselves: "32x4,64x2". Throws Error (bad_input) for anything else.
std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits);

/// Why the device cannot run a shape, "" when its limits allow it.
std::string beyond_limits(const std::string& shape, const ShapeLimits& limits);

}  // namespace boltzmark
