// Work-group shapes that are worth trying.
#pragma once

#include <string>
#include <vector>

namespace boltzmark {

/// What a device allows: work-items in a group, and along x, y and z.
struct ShapeLimits {
  int items = 0, x = 0, y = 0, z = 0;
};

/// Every X x Y of powers of two with at most `items` work-items, as "XxY": 66 for 1024. In three dimensions every
/// X x Y x Z with Z at most `planes`, "XxY" for those with Z = 1.
std::vector<std::string> power_shapes(int items, int planes = 1);

/// The published sets. In two dimensions x and y of 1, 16, 32, 48, ... with x or y at least 32 and x*y at most `items`,
/// and the divisor pairs of `items`: 139 for 1024. In three dimensions the same x and y with z of 1, 16, 32, 48 and 64,
/// one of them at least 32, and no divisor pairs: 150 for 1024. Source: the auto-tuning of work-group sizes in source E
/// of published.json.
std::vector<std::string> published_shapes(int items, int dimension = 2);

/// Tiles for kernels that read a ring of cells round them: x of 16, 32, 48, 64, 96 and 128, and y of 2 to 16, where
/// tile and ring have at most `items` cells.
std::vector<std::string> tile_shapes(int items);

/// "powers", "published", "tiles", or shapes themselves: "32x4,64x2,16x4x2". Throws Error (bad_input) for anything
/// else. In two dimensions there are no shapes with planes.
std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits, int dimension = 2);

/// Why the device cannot run a shape, "" when its limits allow it.
std::string beyond_limits(const std::string& shape, const ShapeLimits& limits);

}  // namespace boltzmark
