#include "opencl/lbm/device_strip.hpp"

#include "opencl/lbm/block_grid.hpp"
#include "opencl/lbm/row_grid.hpp"

namespace boltzmark {

std::unique_ptr<DeviceStrip> make_strip(const std::string& variant, const OpenclDevice& device,
                                        const OpenclOptions& options) {
  const bool is_double = options.precision == Precision::f64;
  if (variant == "time-block") {
    const int steps = plan_wavefront(device, options, {.nx = 1, .ny = 1}).depth;  // or what the device lacks
    return std::make_unique<BlockGrid<float>>(plan_wavefront, device, options, steps);
  }
  for (const RowVariant& row : row_table()) {
    if (row.name != variant || row.grids != 2) continue;
    if (is_double) return std::make_unique<RowGrid<double, double>>(row, device, options);
    return std::make_unique<RowGrid<float, float>>(row, device, options);
  }
  return nullptr;
}

}  // namespace boltzmark
